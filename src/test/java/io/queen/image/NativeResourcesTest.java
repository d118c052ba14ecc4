package io.queen.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A native image holds the resources that are registered, and no other: what the code reads must be among them. */
class NativeResourcesTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern READ = Pattern.compile("getResource(?:AsStream|s)?\\(([^()]*)\\)");
    /** The names that are not in the code as they are: what an expression there can be. */
    private static final List<String> ARCHIVES = List.of(
            "postgres-linux-x86_64.txz",
            "postgres-linux-arm_64.txz",
            "postgres-darwin-x86_64.txz",
            "postgres-darwin-arm_64.txz");

    @Test
    void resources_readByTheCode_areRegistered() throws IOException {
        List<String> includes =
                List.of(properties(Files.newInputStream(Path.of("src/main/resources/application.properties")))
                        .getProperty("quarkus.native.resources.includes")
                        .split(",", -1));
        List<String> read = read();
        assertThat(read).contains("io/queen/embedded/binaries.properties", ARCHIVES.get(0));
        for (String name : read) {
            assertThat(includes)
                    .as(name + " must match quarkus.native.resources.includes in application.properties")
                    .anyMatch(glob -> FileSystems.getDefault()
                            .getPathMatcher("glob:" + glob)
                            .matches(Path.of(name)));
        }
    }

    /** Flyway's extension registers what lies here and nowhere else. */
    @Test
    void migrations_always_lieWhereFlywayLooks() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/resources"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".sql")))
                    .isNotEmpty()
                    .allMatch(file -> file.getParent().endsWith("db/migration"));
        }
    }

    /** native-image reads its arguments from the jar; each is explained. */
    @Test
    void arguments_inTheJar_areThoseOfTheFileAndExplained() throws IOException {
        Properties packed = properties(
                getClass().getResourceAsStream("/META-INF/native-image/io.queen/queen/native-image.properties"));
        assertThat(packed).isEqualTo(properties(Files.newInputStream(Path.of("native/native-image.properties"))));
        String page = Files.readString(Path.of("native/README.md"));
        for (String argument : packed.getProperty("Args").split("\\s+", -1)) {
            assertThat(page).contains("| `" + argument + "` |");
        }
    }

    private static List<String> read() throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher call = READ.matcher(Files.readString(file));
                while (call.find()) {
                    names.addAll(names(file, call.group(1).strip()));
                }
            }
        }
        return names;
    }

    /** The names as native-image knows them: from the root of the class path, without a slash. */
    private static List<String> names(Path file, String argument) {
        if (argument.equals("\"/\" + archive")) {
            return ARCHIVES;
        }
        assertThat(argument)
                .as("a resource in " + file + " whose name only the program knows")
                .matches("\"[^\"]+\"");
        String name = argument.substring(1, argument.length() - 1);
        return List.of(
                name.startsWith("/")
                        ? name.substring(1)
                        : SOURCES.relativize(file.getParent()).resolve(name).toString());
    }

    private static Properties properties(InputStream in) throws IOException {
        try (in) {
            Properties properties = new Properties();
            properties.load(in);
            return properties;
        }
    }
}
