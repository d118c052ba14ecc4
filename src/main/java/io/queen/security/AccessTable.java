package io.queen.security;

import static io.queen.security.Level.ADMIN;
import static io.queen.security.Level.PUBLIC;

import io.vertx.core.http.HttpMethod;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper.RequestMatch;
import org.jboss.resteasy.reactive.server.mapping.RequestMapper.RequestPath;
import org.jboss.resteasy.reactive.server.mapping.URITemplate;

/**
 * Which level each route needs: the one place that says it. What is not listed is for admins, except files of a dashboard;
 * OPTIONS is always public and HEAD is like GET. Paths are matched by the matcher that finds the resources.
 */
@Singleton
final class AccessTable {
    private static final String ROUTES = """
            PUBLIC
              GET    /
              GET    /api/v1
              GET    /health
              GET    /metrics
              GET    /metrics/prometheus
            READ_ONLY
              GET    /api/v1/status
              GET    /api/v1/status/analytics
              GET    /api/v1/status/buffers
              GET    /api/v1/status/queues
              GET    /api/v1/status/queues/{queue}
              GET    /api/v1/status/queues/{queue}/messages
              GET    /api/v1/analytics/system-metrics
              GET    /api/v1/analytics/worker-metrics
              GET    /api/v1/analytics/queue-lag
              GET    /api/v1/analytics/queue-ops
              GET    /api/v1/analytics/queue-parked-replicas
              GET    /api/v1/analytics/retention
              GET    /api/v1/analytics/postgres-stats
              GET    /api/v1/resources/overview
              GET    /api/v1/resources/queues
              GET    /api/v1/resources/queues/{queue}
              GET    /api/v1/resources/partitions
              GET    /api/v1/resources/namespaces
              GET    /api/v1/resources/tasks
              GET    /api/v1/messages
              GET    /api/v1/messages/{partitionId}/{transactionId}
              GET    /api/v1/dlq
              GET    /api/v1/traces/{partitionId}/{transactionId}
              GET    /api/v1/traces/by-name/{traceName}
              GET    /api/v1/traces/names
              GET    /api/v1/consumer-groups
              GET    /api/v1/consumer-groups/lagging
              GET    /api/v1/consumer-groups/{group}
              GET    /api/v1/pauses
              GET    /api/v1/scaling/queues/{queue}
              POST   /streams/v1/state/get
            READ_WRITE
              POST   /api/v1/configure
              POST   /api/v1/push
              GET    /api/v1/pop
              GET    /api/v1/pop/queue/{queue}
              GET    /api/v1/pop/queue/{queue}/partition/{partition}
              POST   /api/v1/ack
              POST   /api/v1/ack/batch
              POST   /api/v1/transaction
              POST   /api/v1/lease/{leaseId}/extend
              POST   /api/v1/traces
              DELETE /api/v1/messages/{partitionId}/{transactionId}
              POST   /api/v1/messages/{partitionId}/{transactionId}/retry
              POST   /api/v1/messages/{partitionId}/{transactionId}/dlq
              POST   /api/v1/dlq/redrive
              POST   /api/v1/consumer-groups/{group}/subscription
              POST   /api/v1/consumer-groups/{group}/queues/{queue}/seek
              POST   /api/v1/consumer-groups/{group}/queues/{queue}/partitions/{partition}/seek
              POST   /api/v1/consumer-groups/{group}/queues/{queue}/partitions/{partition}/release
              POST   /api/v1/consumer-groups/{group}/queues/{queue}/pause
              DELETE /api/v1/consumer-groups/{group}/queues/{queue}/pause
              POST   /api/v1/queues/{queue}/pause
              DELETE /api/v1/queues/{queue}/pause
              POST   /streams/v1/queries
              POST   /streams/v1/cycle
            ADMIN
              DELETE /api/v1/resources/queues/{queue}
              DELETE /api/v1/queues/{queue}/clear
              POST   /api/v1/queues/{queue}/reencrypt
              DELETE /api/v1/dlq
              DELETE /api/v1/consumer-groups/{group}
              DELETE /api/v1/consumer-groups/{group}/queues/{queue}
              POST   /api/v1/stats/refresh
              GET    /api/v1/system/maintenance
              POST   /api/v1/system/maintenance
              GET    /api/v1/system/maintenance/pop
              POST   /api/v1/system/maintenance/pop
              GET    /api/v1/system/shared-state
              GET    /api/v1/audit
              GET    /internal/api/shared-state/stats
              GET    /internal/api/inter-instance/stats
              POST   /internal/api/notify
              POST   /api/v1/migration/test-connection
              POST   /api/v1/migration/start
              GET    /api/v1/migration/status
              POST   /api/v1/migration/validate
              POST   /api/v1/migration/reset
            """;

    /** Where the server has something to hide; elsewhere are files, and what a library serves below these is public. */
    private static final List<String> OURS =
            List.of("/api", "/internal", "/streams", "/ws", "/q", "/metrics", "/health");

    private static final List<String> LIBRARY = List.of("/q/health", "/q/openapi", "/q/swagger-ui");

    private final Map<String, Level> levels = new LinkedHashMap<>();
    private final Map<HttpMethod, RequestMapper<Level>> mappers = new HashMap<>();

    AccessTable() {
        Map<HttpMethod, ArrayList<RequestPath<Level>>> paths = new HashMap<>();
        Level level = ADMIN;
        for (String line : ROUTES.lines().toList()) {
            String[] words = line.strip().split(" +", -1);
            if (words.length == 1) {
                level = Level.valueOf(words[0]);
            } else {
                levels.put(words[0] + " " + words[1], level);
                paths.computeIfAbsent(HttpMethod.valueOf(words[0]), method -> new ArrayList<>())
                        .add(new RequestPath<>(false, new URITemplate(words[1], false), level));
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
        return levels.getOrDefault(name.startsWith("HEAD ") ? "GET" + name.substring(4) : name, ADMIN);
    }

    /** The level that a request to the path needs, which is normalized. */
    Level ofRequest(HttpMethod method, String path) {
        if (method.equals(HttpMethod.OPTIONS)) {
            return PUBLIC;
        }
        HttpMethod like = method.equals(HttpMethod.HEAD) ? HttpMethod.GET : method;
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
