package io.queen.security;

import static io.queen.security.Level.ADMIN;
import static io.queen.security.Level.PUBLIC;
import static io.queen.security.Level.READ_ONLY;
import static io.queen.security.Level.READ_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTableTest {
    /** The contract, section 9, as expressions over route names; the first that matches counts. */
    private static final Map<Level, Pattern> CONTRACT = Map.of(
            PUBLIC, Pattern.compile("GET /(health|metrics|metrics/prometheus)?"),
            READ_ONLY,
                    Pattern.compile("GET /api/v1/(status|analytics|resources|messages|dlq|traces|consumer-groups)(/.*)?"
                            + "|POST /streams/v1/state/get"),
            READ_WRITE,
                    Pattern.compile(
                            "POST /api/v1/(configure|push|ack|ack/batch|transaction|lease/.*|traces)|GET /api/v1/pop(/.*)?"
                                    + "|DELETE /api/v1/messages/.*|POST /api/v1/consumer-groups/.*/(subscription|seek)"
                                    + "|POST /streams/v1/(queries|cycle)"),
            ADMIN,
                    Pattern.compile(
                            "\\w+ /api/v1/(system|migration)/.*|\\w+ /internal/.*|POST /api/v1/stats/refresh"
                                    + "|DELETE /api/v1/resources/queues/.*|DELETE /api/v1/consumer-groups/\\{group}(/queues/\\{queue})?"));

    private final AccessTable table = new AccessTable();

    @Test
    void levels_ofTheContract_areThoseOfTheTable() {
        CONTRACT.forEach((level, routes) -> assertThat(table.levels().keySet().stream()
                        .filter(route -> routes.matcher(route).matches()))
                .isNotEmpty()
                .allMatch(route -> table.ofRoute(route) == level, "needs " + level));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/pop/queue/a, READ_WRITE",
        "HEAD, /api/v1/pop/queue/a, READ_WRITE",
        "GET, /api/v1/pop/queue/a/, READ_WRITE",
        "GET, /api/v1/consumer-groups/lagging, READ_ONLY",
        "DELETE, /api/v1/consumer-groups/lagging, ADMIN",
        "GET, /api/v1/traces/names, READ_ONLY",
        "GET, /api/v1/traces/names/x, READ_ONLY",
        "POST, /api/v1/ack, READ_WRITE",
        "POST, /api/v1/ack/, READ_WRITE",
        "OPTIONS, /api/v1/system/maintenance, PUBLIC",
        "GET, /index.html, PUBLIC",
        "GET, /assets/x.js, PUBLIC",
        "HEAD, /queues/orders, PUBLIC",
        "POST, /index.html, ADMIN",
        "GET, /q/health/ready, PUBLIC",
        "GET, /q/openapi, PUBLIC",
        "GET, /q/healthy, ADMIN",
        "GET, /q/dev, ADMIN",
        "GET, /api, ADMIN",
        "GET, /api/v1, PUBLIC",
        "GET, /api/v2/push, ADMIN",
        "GET, /api/v1/push, ADMIN",
        "GET, /apiary, PUBLIC",
        "GET, /internal, ADMIN",
        "PUT, /api/v1/configure, ADMIN",
        "TRACE, /, ADMIN",
        "GET, /metrics/other, ADMIN",
        "GET, /api/v1/unheard-of, ADMIN",
    })
    void request_anyPath_hasTheLevelOfItsRoute(String method, String path, Level level) {
        assertThat(table.ofRequest(HttpMethod.valueOf(method), path)).isEqualTo(level);
    }

    @Test
    void route_notListed_isForAdmins() {
        assertThat(table.ofRoute("GET /api/v1/unheard-of")).isEqualTo(ADMIN);
    }

    @Test
    void page_always_listsTheRoutesOfEachLevel() throws IOException {
        String page = Files.readString(Path.of("docs/security.md"));
        String written = table.levels().entrySet().stream()
                .map(route -> "| `" + route.getKey() + "` | " + name(route.getValue()) + " | "
                        + name(table.needOfRoute(route.getKey())) + " |")
                .collect(Collectors.joining("\n"));
        assertThat(page).contains(written);
    }

    private static String name(AccessTable.Need need) {
        return need.right() == null ? "–" : need.right().text() + (need.onAll() ? " on all queues" : "");
    }

    private static String name(Level level) {
        return switch (level) {
            case PUBLIC -> "public";
            case READ_ONLY -> "read-only";
            case READ_WRITE -> "read-write";
            case ADMIN -> "admin";
        };
    }
}
