package io.queen.security;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.web.ApiRoutes;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;

/**
 * Compares what the caller may do with what the resource needs that was found for the path. {@link TokenGate} has compared
 * it with the path before: should the two ever read a path in different ways, it opens nothing.
 */
@Singleton
final class ResourceCheck {
    private final AccessTable table;
    private final Map<RuntimeResource, Level> levels = new ConcurrentHashMap<>();

    ResourceCheck(AccessTable table) {
        this.table = table;
    }

    @ServerRequestFilter
    void check(RoutingContext context) {
        Level allowed = Caller.of(context).level();
        if (allowed != Level.ADMIN
                && !allowed.covers(needed(CurrentRequestManager.get().getTarget()))) {
            throw new QueenException(ErrorCode.FORBIDDEN, "The caller may not ask for this");
        }
    }

    private Level needed(RuntimeResource resource) {
        return levels.computeIfAbsent(resource, found -> table.ofRoute(ApiRoutes.name(found)));
    }
}
