package io.queen.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/** Every test over HTTP runs once more against the packaged program: it has a twin, or a reason to have none. */
class TwinTest {
    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages("io.queen");

    /** Those that reach into the JVM of the server are found by their fields; for others it stands here why. */
    private static final Map<String, String> ALONE = Map.of(
            "io.queen.web.ErrorMapperTest", "asks resources that only the test tree has, for their failures",
            "io.queen.web.GeneratedClientTest", "the document is made by the build, and is the same in the program",
            "io.queen.buffer.BufferUnwritableTest", "the packaged program gets its buffer's directory from all tests",
            "io.queen.web.BodyLimitTest", "asks a resource that only the test tree has, for the length it got");

    @Test
    void httpTests_always_haveTheirTwins() {
        assertThat(TESTS.stream()
                        .filter(type -> type.isAnnotatedWith(QuarkusTest.class))
                        .filter(type -> type.getSimpleName().endsWith("Test"))
                        .filter(type -> !reachesIntoTheServer(type) && !ALONE.containsKey(type.getName())))
                .isNotEmpty()
                .as("each needs a class …IT that extends it, with @QuarkusIntegrationTest and an empty body")
                .allMatch(TwinTest::hasTwin);
    }

    @Test
    void reasons_always_areForTestsThatExist() {
        assertThat(ALONE.keySet()).allMatch(TESTS::contain);
    }

    /** An injected field is a bean or a setting of the server. */
    private static boolean reachesIntoTheServer(JavaClass type) {
        return type.getAllFields().stream()
                .anyMatch(field -> field.isAnnotatedWith(Inject.class) || field.isAnnotatedWith(ConfigProperty.class));
    }

    private static boolean hasTwin(JavaClass type) {
        return type.getSubclasses().stream()
                .anyMatch(
                        twin -> twin.getSimpleName().equals(type.getSimpleName().replaceAll("Test$", "IT"))
                                && twin.isAnnotatedWith(QuarkusIntegrationTest.class));
    }
}
