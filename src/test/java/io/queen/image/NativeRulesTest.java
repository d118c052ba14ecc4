package io.queen.image;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.Set;
import javax.crypto.Cipher;

/**
 * What a native image can't do, or does at another time. Static initialisers run when the image is built: what they
 * read of the machine would be that of the builder, and random numbers the same at every start.
 */
@AnalyzeClasses(packages = "io.queen", importOptions = ImportOption.DoNotIncludeTests.class)
class NativeRulesTest {
    private static final Set<String> OF_THE_MACHINE = Set.of(
            "java.lang.System.getenv",
            "java.lang.System.getProperty",
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.lang.Thread.<init>",
            "java.lang.Runtime.availableProcessors",
            "java.lang.ProcessHandle.current",
            "java.net.InetAddress.getLocalHost",
            "java.nio.file.Files.readString",
            "java.nio.file.Files.exists",
            "java.security.SecureRandom.<init>",
            "java.time.Instant.now",
            "java.util.UUID.randomUUID",
            "java.util.concurrent.ThreadLocalRandom.current",
            "java.util.Random.<init>",
            "javax.crypto.Cipher.getInstance");

    /** A class that is only known by its name is not in the image. */
    @ArchTest
    static final ArchRule classes_always_areNamedInCode = noClasses()
            .should()
            .callMethodWhere(called(Class.class, "forName"))
            .orShould()
            .callMethodWhere(called(ClassLoader.class, "loadClass"))
            .orShould()
            .callMethodWhere(called(Proxy.class, "newProxyInstance"));

    /** It reads QueenConfig, which is registered with all that is in it (ReflectionTest). */
    @ArchTest
    static final ArchRule reflection_outsideConfigProblem_isNotUsed = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.queen.ConfigProblem")
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Method.class, Field.class, Constructor.class, Proxy.class);

    @ArchTest
    static final ArchRule staticInitialisers_always_knowNothingOfTheMachine =
            classes().should(readNothingWhenInitialised());

    /** Nor do buffers: their allocators are made when the program starts, and none of theirs may be in the image. */
    @ArchTest
    static final ArchRule randomnessCiphersAndBuffers_always_belongToInstances = fields().that()
            .areStatic()
            .should()
            .notHaveRawType(JavaClass.Predicates.assignableTo(Random.class)
                    .or(JavaClass.Predicates.assignableTo(Cipher.class))
                    .or(JavaClass.Predicates.assignableTo(Thread.class))
                    .or(JavaClass.Predicates.assignableTo(Buffer.class))
                    .or(JavaClass.Predicates.assignableTo(ByteBuf.class)));

    private static DescribedPredicate<JavaCall<?>> called(Class<?> owner, String name) {
        return DescribedPredicate.describe(
                owner.getSimpleName() + "." + name,
                call -> call.getTarget().getName().equals(name)
                        && call.getTargetOwner().isAssignableTo(owner));
    }

    private static ArchCondition<JavaClass> readNothingWhenInitialised() {
        return new ArchCondition<>("read nothing of the machine when they are initialised") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getStaticInitializer()
                        .ifPresent(initialiser -> initialiser.getCallsFromSelf().stream()
                                .filter(call -> OF_THE_MACHINE.contains(
                                        call.getTargetOwner().getName() + "."
                                                + call.getTarget().getName()))
                                .forEach(call ->
                                        events.add(SimpleConditionEvent.violated(type, call.getDescription()))));
            }
        };
    }
}
