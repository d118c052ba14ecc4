package io.queen.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.WithTokens;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import jakarta.inject.Inject;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The routes that are none of a resource: those of libraries come unasked, and with an update. */
@QuarkusTest
@TestProfile(WithTokens.class)
class RouterAccessTest {
    private static final Set<String> KNOWN = Set.of(
            "/*", // preflight, and all resources
            "/",
            "/api/v1",
            "/metrics/prometheus",
            "/metrics/prometheus/",
            "/metrics/prometheus*");

    @Inject
    Router router;

    @Test
    void routes_ofTheRouter_areKnownOrOfALibrary() {
        Set<String> unknown = new TreeSet<>();
        for (Route route : router.getRoutes()) {
            String path = route.getName() == null ? route.getPath() : route.getName();
            if (path != null && !KNOWN.contains(path) && !path.matches("/q(/.*)?")) {
                unknown.add(path);
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void routes_ofLibraries_arePublicOnlyWhenKnown() {
        Set<String> open = new TreeSet<>();
        AccessTable table = new AccessTable();
        for (Route route : router.getRoutes()) {
            String path = route.getPath();
            if (path != null && path.startsWith("/q") && table.ofRequest(HttpMethod.GET, path) == Level.PUBLIC) {
                open.add(path.replaceAll("^/q/([^/]+).*", "$1"));
            }
        }
        assertThat(open).isSubsetOf("health", "openapi", "openapi.json", "swagger-ui");
    }
}
