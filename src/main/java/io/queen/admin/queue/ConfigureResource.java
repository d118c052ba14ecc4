package io.queen.admin.queue;

import com.fasterxml.jackson.core.JsonToken;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.message.QueenException;
import io.queen.push.QueueRules;
import io.queen.security.Caller;
import io.queen.security.Right;
import io.queen.web.Audited;
import io.queen.web.JsonBody;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.io.IOException;
import java.util.UUID;

/** Creates queues and replaces their configuration. */
@Path("/api/v1/configure")
@Produces("application/json")
final class ConfigureResource {
    private final QueueStore store;
    private final QueueRules rules;

    ConfigureResource(QueueStore store, QueueRules rules) {
        this.store = store;
        this.rules = rules;
    }

    /** What was asked for. */
    private record Request(String queue, String namespace, String task, QueueOptions options) {}

    /** The answer: what is in force now. */
    @RegisterForReflection
    record Configured(
            boolean configured,
            UUID queueId,
            UUID partitionId,
            String queue,
            String namespace,
            String task,
            QueueOptions options) {}

    @Audited
    @POST
    public Uni<Configured> configure(byte[] body, @Context RoutingContext context) {
        Request request = JsonBody.read(body, ConfigureResource::read);
        Caller.of(context).require(Right.MANAGE, request.queue);
        return store.configure(request.queue, request.namespace, request.task, request.options)
                .invoke(() -> rules.forget(request.queue))
                .map(ids -> new Configured(
                        true,
                        ids.queueId(),
                        ids.partitionId(),
                        request.queue,
                        request.namespace,
                        request.task,
                        request.options));
    }

    private static Request read(JsonBody body) throws IOException {
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.missing("queue");
        }
        String queue = null;
        String namespace = "";
        String task = "";
        QueueOptions options = QueueOptions.DEFAULTS;
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            switch (name) {
                case "queue" -> queue = body.name("queue");
                case "namespace" -> namespace = optional(body, "namespace");
                case "task" -> task = optional(body, "task");
                case "options" -> options = options(body);
                default -> body.unknown("", name);
            }
        }
        if (queue == null) {
            throw QueenException.missing("queue");
        }
        return new Request(queue, namespace, task, options);
    }

    private static String optional(JsonBody body, String field) throws IOException {
        return body.isNull() ? "" : body.name(field);
    }

    private static QueueOptions options(JsonBody body) throws IOException {
        if (body.current() == JsonToken.START_OBJECT) {
            return OptionsReader.read(body);
        }
        if (!body.isNull() && !body.isEmptyArray()) {
            throw QueenException.invalid("options", "must be an object");
        }
        return QueueOptions.DEFAULTS;
    }
}
