package io.queen.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of a container linter that matter here. No image is built: see native/stage for what is run. */
class ContainerfileTest {
    /** Made by the build, so not there before it: by the native profile and the release profile. */
    private static final Set<String> BUILT =
            Set.of("target/queen-runner", "target/quarkus-app", "target/THIRD-PARTY.txt", "target/bom.json");

    private record Instruction(String name, String rest) {}

    private static List<Instruction> read(String file) throws IOException {
        List<Instruction> instructions = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(file))) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split(" ", 2);
                instructions.add(new Instruction(parts[0], parts[1]));
            }
        }
        return instructions;
    }

    /** Of the stage that becomes the image. */
    private static List<String> last(String file, String name) throws IOException {
        List<Instruction> all = read(file);
        int from = all.lastIndexOf(all.stream()
                .filter(instruction -> instruction.name.equals("FROM"))
                .reduce((first, second) -> second)
                .orElseThrow());
        return all.subList(from, all.size()).stream()
                .filter(instruction -> instruction.name.equals(name))
                .map(Instruction::rest)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"native/Containerfile.native", "native/Containerfile.jvm"})
    void bases_always_havePinnedTagsAndFullNames(String file) throws IOException {
        assertThat(read(file).stream().filter(instruction -> instruction.name.equals("FROM")))
                .isNotEmpty()
                .allSatisfy(from -> assertThat(from.rest)
                        .matches("[a-z0-9.-]+\\.[a-z]+/\\S+:[0-9][\\w.-]*( AS [a-z]+)?")
                        .doesNotContain("latest"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"native/Containerfile.native", "native/Containerfile.jvm"})
    void image_always_runsAsANumberedUserThatIsNotRoot(String file) throws IOException {
        assertThat(last(file, "USER")).singleElement().asString().matches("[1-9][0-9]*");
        assertThat(Files.readString(Path.of("native/passwd")))
                .contains(":" + last(file, "USER").get(0) + ":");
    }

    /** A shell would be PID 1, and keep SIGTERM for itself. */
    @ParameterizedTest
    @ValueSource(strings = {"native/Containerfile.native", "native/Containerfile.jvm"})
    void entrypoint_always_isTheServerItself(String file) throws IOException {
        assertThat(last(file, "ENTRYPOINT")).singleElement().asString().matches("\\[\"[^\"]+\"(, \"[^\"]+\")*]");
        assertThat(last(file, "ENTRYPOINT").get(0)).doesNotContain("sh\"");
        assertThat(last(file, "STOPSIGNAL")).containsExactly("SIGTERM");
        assertThat(last(file, "CMD")).isEmpty();
        assertThat(last(file, "HEALTHCHECK")).singleElement().asString().endsWith("CMD [\"/opt/queen/health\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"native/Containerfile.native", "native/Containerfile.jvm"})
    void image_always_startsNoDatabaseByChance(String file) throws IOException {
        assertThat(String.join(" ", last(file, "ENV"))).contains("QUEEN_EMBEDDED=false");
        assertThat(Files.readString(Path.of(file))).doesNotContain("PASSWORD", "QUEEN_ENCRYPTION_KEY");
    }

    @ParameterizedTest
    @ValueSource(strings = {"native/Containerfile.native", "native/Containerfile.jvm"})
    void copies_always_areOfWhatIsThere(String file) throws IOException {
        for (Instruction copy : read(file).stream()
                .filter(instruction -> instruction.name.equals("COPY") && !instruction.rest.contains("--from="))
                .toList()) {
            List<String> words = Stream.of(copy.rest.split(" ", -1))
                    .filter(word -> !word.startsWith("--"))
                    .toList();
            for (String source : words.subList(0, words.size() - 1)) {
                assertThat(BUILT.contains(source) || Files.exists(Path.of(source)))
                        .as(source)
                        .isTrue();
            }
        }
    }

    /** The licences and the bill of materials are made by the release profile alone. */
    @ParameterizedTest
    @ValueSource(strings = {"native/Containerfile.native", "native/Containerfile.jvm"})
    void comment_always_saysHowToBuildWhatIsCopied(String file) throws IOException {
        String comment = Files.readAllLines(Path.of(file)).stream()
                .takeWhile(line -> line.startsWith("#"))
                .collect(Collectors.joining("\n"));
        assertThat(comment).containsPattern("mvn package .*-Prelease");
    }

    /** With that of a large machine the JVM has wide pointers, and a server with a smaller heap can't use the cache. */
    @Test
    void cache_always_isTrainedWithASmallHeap() throws IOException {
        assertThat(Files.readString(Path.of("native/aot-cache"))).containsPattern("-Xmx[0-9]+m -XX:AOTCacheOutput=");
    }

    /** ADD fetches, and shells hide failures; what is not listed here needs a thought, and native/stage to know it. */
    @ParameterizedTest
    @ValueSource(strings = {"native/Containerfile.native", "native/Containerfile.jvm"})
    void instructions_always_areFewAndPlain(String file) throws IOException {
        assertThat(read(file))
                .extracting(Instruction::name)
                .isSubsetOf(
                        "FROM",
                        "COPY",
                        "ENV",
                        "EXPOSE",
                        "WORKDIR",
                        "USER",
                        "RUN",
                        "STOPSIGNAL",
                        "HEALTHCHECK",
                        "ENTRYPOINT");
        assertThat(read(file).stream().filter(instruction -> instruction.name.equals("RUN")))
                .allMatch(run -> run.rest.startsWith("["));
    }
}
