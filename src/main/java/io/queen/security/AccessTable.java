package io.queen.security;

import static io.queen.security.Level.ADMIN;
import static io.queen.security.Level.PUBLIC;

import io.vertx.core.http.HttpMethod;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper.RequestMatch;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper.RequestPath;
import org.jboss.resteasy.reactive.server.mapping.URITemplate;

/**
 * Which level each route needs, and which right on which queues: the one place that says it. What is not listed is for
 * admins with all queues, except files of a dashboard; OPTIONS is always public and HEAD is like GET. Paths are matched by
 * the matcher that finds the resources.
 *
 * <p>A right with a star is needed on all queues. Without it the right is needed on the {@code {queue}} of the path, which
 * {@link ResourceCheck} sees to, or on what the resource finds in the query, the body, or its lists.
 */
@Singleton
final class AccessTable {
    private static final String ROUTES = """
            PUBLIC
              GET    -        /
              GET    -        /api/v1
              GET    -        /health
              GET    -        /metrics
              GET    -        /metrics/prometheus
            READ_ONLY
              GET    see      /api/v1/me
              GET    see      /api/v1/status
              GET    see      /api/v1/status/analytics
              GET    see*     /api/v1/status/buffers
              GET    see      /api/v1/status/queues
              GET    see      /api/v1/status/queues/{queue}
              GET    read     /api/v1/status/queues/{queue}/messages
              GET    see*     /api/v1/analytics/system-metrics
              GET    see*     /api/v1/analytics/worker-metrics
              GET    see      /api/v1/analytics/queue-lag
              GET    see      /api/v1/analytics/queue-ops
              GET    see      /api/v1/analytics/queue-parked-replicas
              GET    see      /api/v1/analytics/retention
              GET    see*     /api/v1/analytics/postgres-stats
              GET    see      /api/v1/resources/overview
              GET    see      /api/v1/resources/queues
              GET    see      /api/v1/resources/queues/{queue}
              GET    see      /api/v1/resources/partitions
              GET    see      /api/v1/resources/namespaces
              GET    see      /api/v1/resources/tasks
              GET    read     /api/v1/messages
              GET    read     /api/v1/messages/{partitionId}/{transactionId}
              GET    read     /api/v1/dlq
              GET    read     /api/v1/dlq/errors
              GET    read     /api/v1/traces/{partitionId}/{transactionId}
              GET    read     /api/v1/traces/by-name/{traceName}
              GET    read     /api/v1/traces/names
              GET    see      /api/v1/consumer-groups
              GET    see      /api/v1/consumer-groups/lagging
              GET    see      /api/v1/consumer-groups/{group}
              GET    see      /api/v1/pauses
              GET    see      /api/v1/schedules
              GET    read     /api/v1/schedules/{name}
              GET    see      /api/v1/scaling/queues/{queue}
              GET    see      /api/v1/streams
              GET    see      /api/v1/streams/{name}
              POST   consume  /streams/v1/state/get
            READ_WRITE
              POST   manage   /api/v1/configure
              POST   produce  /api/v1/push
              GET    consume  /api/v1/pop
              GET    consume  /api/v1/pop/queue/{queue}
              GET    consume  /api/v1/pop/queue/{queue}/partition/{partition}
              POST   consume  /api/v1/ack
              POST   consume  /api/v1/ack/batch
              POST   see      /api/v1/transaction
              POST   consume  /api/v1/lease/{leaseId}/extend
              POST   consume  /api/v1/traces
              DELETE manage   /api/v1/messages/{partitionId}/{transactionId}
              POST   manage   /api/v1/messages/{partitionId}/{transactionId}/retry
              POST   manage   /api/v1/messages/{partitionId}/{transactionId}/dlq
              POST   manage   /api/v1/dlq/redrive
              POST   consume  /api/v1/consumer-groups/{group}/subscription
              POST   consume  /api/v1/consumer-groups/{group}/queues/{queue}/seek
              POST   consume  /api/v1/consumer-groups/{group}/queues/{queue}/partitions/{partition}/seek
              POST   consume  /api/v1/consumer-groups/{group}/queues/{queue}/partitions/{partition}/release
              POST   consume  /api/v1/consumer-groups/{group}/queues/{queue}/pause
              DELETE consume  /api/v1/consumer-groups/{group}/queues/{queue}/pause
              POST   manage   /api/v1/queues/{queue}/pause
              DELETE manage   /api/v1/queues/{queue}/pause
              PUT    manage   /api/v1/schedules/{name}
              DELETE manage   /api/v1/schedules/{name}
              POST   manage   /api/v1/schedules/{name}/pause
              POST   manage   /api/v1/schedules/{name}/resume
              POST   manage   /api/v1/schedules/{name}/run
              POST   consume  /streams/v1/queries
              POST   consume  /streams/v1/cycle
              PATCH  consume  /api/v1/streams/{name}
            ADMIN
              DELETE manage   /api/v1/resources/queues/{queue}
              DELETE manage   /api/v1/queues/{queue}/clear
              POST   manage   /api/v1/queues/{queue}/reencrypt
              DELETE manage   /api/v1/dlq
              DELETE consume* /api/v1/consumer-groups/{group}
              DELETE consume  /api/v1/consumer-groups/{group}/queues/{queue}
              DELETE consume  /api/v1/streams/{name}
              POST   manage*  /api/v1/stats/refresh
              GET    manage*  /api/v1/system/maintenance
              POST   manage*  /api/v1/system/maintenance
              GET    manage*  /api/v1/system/maintenance/pop
              POST   manage*  /api/v1/system/maintenance/pop
              GET    manage*  /api/v1/system/shared-state
              GET    manage*  /api/v1/audit
              GET    manage*  /internal/api/shared-state/stats
              GET    manage*  /internal/api/inter-instance/stats
              POST   manage*  /internal/api/notify
              POST   manage*  /api/v1/migration/test-connection
              POST   manage*  /api/v1/migration/start
              GET    manage*  /api/v1/migration/status
              POST   manage*  /api/v1/migration/validate
              POST   manage*  /api/v1/migration/reset
            """;

    /** Where the server has something to hide; elsewhere are files, and what a library serves below these is public. */
    private static final List<String> OURS =
            List.of("/api", "/internal", "/streams", "/ws", "/q", "/metrics", "/health");

    private static final List<String> LIBRARY = List.of("/q/health", "/q/openapi", "/q/swagger-ui");

    private final Map<String, Level> levels = new LinkedHashMap<>();
    private final Map<String, Need> needs = new LinkedHashMap<>();
    private final Map<HttpMethod, RequestMapper<Level>> mappers = new HashMap<>();
    /** Of routes without parameters, those of most requests: a look into a map instead of a match. */
    private final Map<HttpMethod, Map<String, Level>> plain = new HashMap<>();

    /** What a route needs of the rights on queues; {@code right} is null for a route that is public. */
    record Need(Right right, boolean onAll) {
        private static final Need EVERYTHING = new Need(Right.MANAGE, true);

        private static Need of(String text) {
            boolean all = text.endsWith("*");
            String name = all ? text.substring(0, text.length() - 1) : text;
            return new Need(name.equals("-") ? null : Right.valueOf(name.toUpperCase(Locale.ROOT)), all);
        }
    }

    AccessTable() {
        Map<HttpMethod, ArrayList<RequestPath<Level>>> paths = new HashMap<>();
        Level level = ADMIN;
        for (String line : ROUTES.lines().toList()) {
            String[] words = line.strip().split(" +", -1);
            if (words.length == 1) {
                level = Level.valueOf(words[0]);
            } else {
                levels.put(words[0] + " " + words[2], level);
                needs.put(words[0] + " " + words[2], Need.of(words[1]));
                HttpMethod method = HttpMethod.valueOf(words[0]);
                paths.computeIfAbsent(method, first -> new ArrayList<>())
                        .add(new RequestPath<>(false, new URITemplate(words[2], false), level));
                if (words[2].indexOf('{') < 0) {
                    plain.computeIfAbsent(method, first -> new HashMap<>()).put(words[2], level);
                }
            }
        }
        paths.forEach((method, templates) -> mappers.put(method, new RequestMapper<>(templates)));
    }

    /** Routes ({@code GET /api/v1/pop}) with their levels, in the order of the documentation. */
    Map<String, Level> levels() {
        return levels;
    }

    /** The level of a route by its name. */
    Level ofRoute(String name) {
        return levels.getOrDefault(withGet(name), ADMIN);
    }

    /** What a route needs of the rights on queues, by its name. */
    Need needOfRoute(String name) {
        return needs.getOrDefault(withGet(name), Need.EVERYTHING);
    }

    private static String withGet(String name) {
        return name.startsWith("HEAD ") ? "GET" + name.substring(4) : name;
    }

    /** The level that a request to the path needs, which is normalized. */
    Level ofRequest(HttpMethod method, String path) {
        if (method.equals(HttpMethod.OPTIONS)) {
            return PUBLIC;
        }
        HttpMethod like = method.equals(HttpMethod.HEAD) ? HttpMethod.GET : method;
        Level listed = plain.getOrDefault(like, Map.of()).get(path);
        if (listed != null) {
            return listed;
        }
        RequestMapper<Level> mapper = mappers.get(like);
        RequestMatch<Level> match = mapper == null ? null : mapper.map(path);
        if (match != null) {
            return match.value;
        }
        return like.equals(HttpMethod.GET) && (!isBelow(OURS, path) || isBelow(LIBRARY, path)) ? PUBLIC : ADMIN;
    }

    private static boolean isBelow(List<String> roots, String path) {
        for (String root : roots) {
            if (path.startsWith(root) && (path.length() == root.length() || path.charAt(root.length()) == '/')) {
                return true;
            }
        }
        return false;
    }
}
