package io.queen.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.config.QueenConfig;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is looked at by reflection says so: Jackson writes the answers of resources, ConfigProblem reads the settings. */
class ReflectionTest {
    private static final JavaClasses PROGRAM = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.queen");

    @Test
    void answers_ofResources_areRegistered() {
        Set<JavaClass> answers = new LinkedHashSet<>();
        PROGRAM.stream()
                .filter(type -> type.isAnnotatedWith(Path.class))
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.isMetaAnnotatedWith(HttpMethod.class))
                .forEach(method -> collect(method, answers));
        assertThat(answers).extracting(JavaClass::getSimpleName).contains("Health", "Worker", "Deleted");
        assertThat(answers)
                .as("add @RegisterForReflection, or write the answer with JsonAnswer")
                .allMatch(ReflectionTest::registered);
    }

    @Test
    void problem_always_isRegistered() {
        assertThat(registered(PROGRAM.get("io.queen.web.Problem"))).isTrue();
    }

    @Test
    void settings_always_areRegisteredWithAllInside() {
        assertThat(QueenConfig.class.getAnnotation(RegisterForReflection.class)).isNotNull();
        assertThat(QueenConfig.class.getAnnotation(RegisterForReflection.class).ignoreNested())
                .isFalse();
    }

    /** Our types in what the method gives, and in the components of those. */
    private static void collect(JavaMethod method, Set<JavaClass> found) {
        Deque<JavaClass> open = new ArrayDeque<>(method.getReturnType().getAllInvolvedRawTypes());
        while (!open.isEmpty()) {
            JavaClass type = open.pop();
            if (type.getPackageName().startsWith("io.queen") && type.isRecord() && found.add(type)) {
                type.getFields().forEach(field -> open.addAll(field.getType().getAllInvolvedRawTypes()));
            }
        }
    }

    /** By itself or with the class around it. */
    private static boolean registered(JavaClass type) {
        return type.isAnnotatedWith(RegisterForReflection.class)
                || type.getEnclosingClass().map(ReflectionTest::registered).orElse(false);
    }
}
