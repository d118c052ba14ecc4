package io.queen.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whatever changes something is written down, unless it is said here why not. */
class AuditedRoutesTest {
    /** The path of messages, what consumers tell of it, and what changes nothing that is kept. */
    private static final Set<String> NOT_BY_OPERATORS = Set.of(
            "AckResource.ack",
            "AckResource.batch",
            "InternalResource.notice",
            "LeaseResource.extend",
            "PushResource.push",
            "ServerResource.refresh",
            "ServerResource.resetMigration",
            "ServerResource.startMigration",
            "ServerResource.testMigration",
            "ServerResource.validateMigration",
            "StreamResource.cycle",
            "StreamResource.register",
            "StreamResource.state",
            "TraceResource.record",
            "TransactionResource.transaction");

    @Test
    void routes_thatChangeSomething_areAudited() {
        Set<String> unaudited = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.queen").stream()
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> method.isAnnotatedWith(POST.class)
                                || method.isAnnotatedWith(PUT.class)
                                || method.isAnnotatedWith(DELETE.class))
                        .filter(method -> !method.isAnnotatedWith(Audited.class))
                        .map(AuditedRoutesTest::name)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(unaudited).containsExactlyInAnyOrderElementsOf(NOT_BY_OPERATORS);
    }

    private static String name(JavaMethod method) {
        return method.getOwner().getSimpleName() + "." + method.getName();
    }
}
