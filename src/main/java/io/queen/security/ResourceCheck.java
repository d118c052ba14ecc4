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
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.mapping.RuntimeResource;

/**
 * Compares what the caller may do with what the resource needs that was found for the path, on the queue that the path names.
 * {@link TokenGate} has compared the level with the path before: should the two ever read a path in different ways, it opens
 * nothing.
 */
@Singleton
final class ResourceCheck {
    private static final String QUEUE = "queue";

    private final AccessTable table;
    private final Map<RuntimeResource, Rule> rules = new ConcurrentHashMap<>();

    ResourceCheck(AccessTable table) {
        this.table = table;
    }

    /** What a resource needs. */
    private record Rule(Level level, AccessTable.Need need, boolean namesQueue) {}

    @ServerRequestFilter
    void check(RoutingContext context) {
        Caller caller = Caller.of(context);
        if (caller.level() == Level.ADMIN && caller.rights() == Rights.ALL) {
            return;
        }
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        Rule rule = rules.computeIfAbsent(request.getTarget(), this::rule);
        if (!caller.level().covers(rule.level)) {
            throw new QueenException(ErrorCode.FORBIDDEN, "The caller may not ask for this");
        }
        if (caller.rights() != Rights.ALL && rule.need.right() != null) {
            checkRights(caller, rule, request);
        }
    }

    private Rule rule(RuntimeResource resource) {
        String name = ApiRoutes.name(resource);
        return new Rule(table.ofRoute(name), table.needOfRoute(name), name.contains("{" + QUEUE + "}"));
    }

    private static void checkRights(Caller caller, Rule rule, ResteasyReactiveRequestContext request) {
        Right right = rule.need.right();
        if (caller.rights().of(right).isEmpty()) {
            throw Caller.forbidden("The token allows to " + right.words() + " no queue");
        }
        if (rule.need.onAll()) {
            caller.requireOnAll(right, "this concerns all");
        }
        if (rule.namesQueue) {
            caller.require(right, request.getPathParameter(QUEUE, false));
        }
    }
}
