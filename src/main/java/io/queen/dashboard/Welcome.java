package io.queen.dashboard;

import io.queen.config.QueenConfig;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The answer at the address of the server: what this is, and where to read on. */
@Singleton
final class Welcome {
    private static final String CONTENT_TYPE = "application/json";

    private final String text;

    Welcome(@ConfigProperty(name = "quarkus.application.version") String version, QueenConfig config) {
        this.text = new JsonObject()
                .put("name", "Queen")
                .put("version", version)
                .put("description", "A message queue server on PostgreSQL")
                .put(
                        "links",
                        new JsonObject()
                                .put("swaggerUi", "/q/swagger-ui")
                                .put("openApi", "/q/openapi")
                                .put("health", "/health")
                                .put("metrics", "/metrics")
                                .put("prometheus", "/metrics/prometheus"))
                .put("login", Login.of(config))
                .encodePrettily();
    }

    /** After {@link Webapp}: a dashboard has {@code /} for itself. */
    void register(@Observes Router router) {
        for (String path : new String[] {"/", "/api/v1"}) {
            router.route(path)
                    .method(HttpMethod.GET)
                    .method(HttpMethod.HEAD)
                    .order(Integer.MIN_VALUE + 3)
                    .handler(this::answer);
        }
    }

    private void answer(RoutingContext context) {
        context.response().putHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE).end(text);
    }
}
