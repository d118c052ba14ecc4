package io.queen.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class SkipTest {
    /** All that JUnit and AssertJ have to leave a test out. */
    private static final DescribedPredicate<JavaClass> SKIPS = DescribedPredicate.describe(
            "skip tests",
            type -> type.getPackageName().equals("org.junit.jupiter.api.condition")
                    || type.getName().matches("org\\.junit\\.jupiter\\.api\\.(Disabled|Assumptions)")
                    || type.getName().matches("org\\.assertj\\.core\\.api\\..*Assumptions")
                    || type.getName().matches("org\\.junit\\.jupiter\\.api\\.extension\\.ExecutionCondition")
                    || type.getName()
                            .matches("org\\.opentest4j\\.(TestAborted|TestSkipped|IncompleteExecution)Exception")
                    || type.getName().matches("io\\.quarkus\\.test\\.junit\\.Disabled.*"));

    @Test
    void tests_ofAllPackages_areSkippedForListedReasonsOnly() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(Skip.class, SkipTest.class, InstalledPostgresCondition.class)
                .should()
                .dependOnClassesThat(SKIPS)
                .because("a test is skipped by io.queen.testing.Skip, which lists the reasons")
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.OnlyIncludeTests())
                        .importPackages("io.queen"));
    }

    @Test
    void unless_notMet_abortsWithTheReason() {
        assertThat(catchThrowable(() -> Skip.NO_PGBOUNCER.unless(false)))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("PgBouncer is not installed");
        assertThat(catchThrowable(() -> Skip.NO_PGBOUNCER.unless(true))).isNull();
    }
}
