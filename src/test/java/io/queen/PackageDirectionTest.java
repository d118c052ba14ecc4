package io.queen;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** One layer per package, in the order that the root's package-info draws: each knows only those below it. */
class PackageDirectionTest {
    private static final String ROOT = "io.queen";

    /** From the bottom up. */
    private static final List<String> LAYERS = List.of(
            "message",
            "config",
            "metrics",
            "runtime",
            "tls",
            "database",
            "tracing",
            "origin",
            "web",
            "dashboard",
            "security",
            "encryption",
            "sidecar",
            "buffer",
            "pop.ready",
            "pause",
            "consumer",
            "push",
            "ack",
            "pop",
            "transaction",
            "schedule",
            "stream",
            "series",
            "retention",
            "admin.encryption",
            "admin.message",
            "admin.deadletter",
            "admin.trace",
            "admin.queue",
            "admin.group",
            "admin.maintenance",
            "admin.server",
            "admin.audit");

    /** Programs and parts that stand for themselves: they know none of the layers, and the layers do not know them. */
    private static final Set<String> APART = Set.of("embedded", "bench");

    private static final String[] DRIVER = {
        "io.vertx.pgclient..",
        "io.vertx.sqlclient..",
        "io.vertx.mutiny.pgclient..",
        "io.vertx.mutiny.sqlclient..",
        "org.flywaydb..",
        "javax.sql..",
        "java.sql.."
    };

    private final JavaClasses all = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void packages_always_knowOnlyThoseBelowThem() {
        Set<String> wrong = all.stream()
                .flatMap(one -> one.getDirectDependenciesFromSelf().stream()
                        .filter(dependency -> !mayKnow(one, dependency.getTargetClass()))
                        .map(dependency ->
                                room(one) + " → " + room(dependency.getTargetClass()) + ": " + one.getSimpleName()
                                        + " → " + dependency.getTargetClass().getSimpleName()))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(wrong).isEmpty();
    }

    @Test
    void packages_always_haveALayer() {
        Set<String> rooms = all.stream().map(PackageDirectionTest::room).collect(Collectors.toCollection(TreeSet::new));
        rooms.removeAll(LAYERS);
        rooms.removeAll(APART);
        assertThat(rooms).containsExactly("");
    }

    /** Where a statement is sent is where it is written; how to send one is the database's. */
    @Test
    void driver_outsideStores_isUnknown() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT, ROOT + ".database..", ROOT + ".embedded..")
                .and()
                .haveNameNotMatching(".*Store(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(DRIVER)
                .check(all);
    }

    @Test
    void batchEngine_always_knowsNoMessage() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".sidecar..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching(".*\\.message\\.(Push|Pop|Ack|Claim|Renewal|Transaction).*")
                .check(all);
    }

    @Test
    void stores_always_areNamedSo() {
        classes()
                .that()
                .haveNameMatching(".*Store")
                .and()
                .resideOutsideOfPackage(ROOT + ".bench")
                .should()
                .haveOnlyPrivateConstructors()
                .orShould()
                .beAnnotatedWith("jakarta.inject.Singleton")
                .orShould()
                .beInterfaces()
                .orShould()
                .beRecords() // of the connection that they are given
                .check(all);
    }

    private static boolean mayKnow(JavaClass one, JavaClass other) {
        String from = room(one);
        String to = room(other);
        if (!other.getPackageName().startsWith(ROOT) || from.equals(to) || from.isEmpty()) {
            return true;
        }
        return LAYERS.contains(from) && LAYERS.contains(to) && LAYERS.indexOf(to) < LAYERS.indexOf(from);
    }

    private static String room(JavaClass one) {
        String name = one.getPackageName();
        return name.equals(ROOT) ? "" : name.replace(ROOT + ".", "");
    }
}
