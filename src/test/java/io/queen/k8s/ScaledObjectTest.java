package io.queen.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What KEDA asks, and where: the server by its URL, or PostgreSQL by a query that it answers. */
class ScaledObjectTest {
    private static final Path OVERLAYS = Manifests.DIRECTORY.resolve("overlays");
    private static final String WITH_NAMESPACE = "[a-z-]+\\.[a-z-]+\\.svc";

    private static Keda.ScaledObject.Trigger trigger(String overlay) {
        return Manifests.read(OVERLAYS.resolve(overlay).resolve("scaledobject.yaml"), Keda.ScaledObject.class)
                .spec()
                .triggers()
                .get(0);
    }

    /** KEDA runs in a namespace of its own, where a bare name is unknown. */
    @Test
    void hosts_always_haveANamespace() {
        assertThat(URI.create(trigger("keda").metadata().get("url")).getHost()).matches(WITH_NAMESPACE);
        assertThat(trigger("keda-postgresql").metadata().get("host")).matches(WITH_NAMESPACE);
    }

    @Test
    void query_ofTheLag_isItsNumber() {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("keda");
        try (Sql sql = Sql.open(postgres)) {
            String query = trigger("keda-postgresql").metadata().get("query");
            assertThat(sql.row(query)).hasSize(1);
            assertThat(sql.number(query)).isZero();
            new Partitions(sql).push("orders", "p", 3);
            assertThat(sql.number(query)).isEqualTo(3);
        }
    }

    @Test
    void token_ofTheQuestion_isShown() {
        Keda.TriggerAuthentication account =
                Manifests.read(OVERLAYS.resolve("keda/triggerauthentication.yaml"), Keda.TriggerAuthentication.class);
        assertThat(trigger("keda").metadata()).containsEntry("authMode", "bearer");
        assertThat(trigger("keda").authenticationRef().name())
                .isEqualTo(account.metadata().getName());
        assertThat(account.spec().secretTargetRef())
                .containsExactly(new Keda.TriggerAuthentication.SecretTarget("token", "queen-scaling", "token"));
    }

    /** As the trigger calls the parameters, from where the servers have them. */
    @Test
    void account_ofTheQuery_isThatOfTheServers() {
        Keda.TriggerAuthentication account = Manifests.read(
                OVERLAYS.resolve("keda-postgresql/triggerauthentication.yaml"), Keda.TriggerAuthentication.class);
        assertThat(trigger("keda-postgresql").authenticationRef().name())
                .isEqualTo(account.metadata().getName());
        assertThat(account.spec().secretTargetRef())
                .containsExactly(
                        new Keda.TriggerAuthentication.SecretTarget("userName", "queen-database", "username"),
                        new Keda.TriggerAuthentication.SecretTarget("password", "queen-database", "password"));
    }
}
