package io.queen;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass.Predicates;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** One direction: http → sidecar, pop, admin → store. Packages that do not exist yet are already ruled. */
@AnalyzeClasses(packages = "io.queen", importOptions = ImportOption.DoNotIncludeTests.class)
class PackageDirectionTest {
    private static final String[] SHARED = {"io.queen.config..", "io.queen.message..", "io.queen.metrics.."};
    private static final String[] DRIVER = {
        "io.vertx.pgclient..",
        "io.vertx.sqlclient..",
        "io.vertx.mutiny.pgclient..",
        "io.vertx.mutiny.sqlclient..",
        "org.flywaydb..",
        "javax.sql..",
        "java.sql.."
    };

    @ArchTest
    static final ArchRule layers_always_pointOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("http")
            .definedBy("io.queen.http..")
            .layer("work")
            .definedBy(
                    "io.queen.sidecar..",
                    "io.queen.pop..",
                    "io.queen.admin..",
                    "io.queen.schedule..",
                    "io.queen.buffer..")
            .layer("store")
            .definedBy("io.queen.store..")
            .layer("bench")
            .definedBy("io.queen.bench..")
            .whereLayer("http")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("work")
            .mayOnlyBeAccessedByLayers("http")
            .whereLayer("store")
            .mayOnlyBeAccessedByLayers("work")
            .whereLayer("bench")
            .mayNotBeAccessedByAnyLayer();

    /** It measures servers from outside: this one as any other. */
    @ArchTest
    static final ArchRule bench_always_isAProgramOfItsOwn = noClasses()
            .that()
            .resideInAPackage("io.queen.bench..")
            .should()
            .dependOnClassesThat(Predicates.resideInAPackage("io.queen..")
                    .and(Predicates.resideOutsideOfPackage("io.queen.bench..")));

    @ArchTest
    static final ArchRule sharedPackages_always_dependOnNoOther = noClasses()
            .that()
            .resideInAnyPackage(SHARED)
            .should()
            .dependOnClassesThat(
                    Predicates.resideInAPackage("io.queen..").and(Predicates.resideOutsideOfPackages(SHARED)));

    @ArchTest
    static final ArchRule driver_outsideStore_isUnknown = noClasses()
            .that()
            .resideOutsideOfPackages("io.queen", "io.queen.store..", "io.queen.postgres..")
            .and()
            .haveNameNotMatching("io\\.queen\\.bench\\..*Store")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(DRIVER);

    @ArchTest
    static final ArchRule packages_always_areFreeOfCycles =
            slices().matching("io.queen.(*)..").should().beFreeOfCycles();
}
