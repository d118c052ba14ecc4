package io.queen.admin.trace;

import io.queen.database.Database;
import io.queen.message.ErrorCode;
import io.queen.message.Page;
import io.queen.message.QueenException;
import io.queen.runtime.ServerId;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;

/** What consumers tell of the messages they work on. */
@Singleton
public final class Traces {
    private final Database database;
    private final ServerId server;

    Traces(Database database, ServerId server) {
        this.database = database;
        this.server = server;
    }

    /** Records the event, and gives its id. */
    public Uni<UUID> record(NewTrace trace) {
        return TraceStore.record(database.general(), trace, server.value())
                .onItem()
                .ifNull()
                .failWith(() -> new QueenException(ErrorCode.MESSAGE_NOT_FOUND, "Message not found"));
    }

    /** JSON: an object with the events of a message. */
    public Uni<String> byMessage(UUID partitionId, String transactionId) {
        return TraceStore.byMessage(database.general(), partitionId, transactionId);
    }

    public Uni<TracePage> byName(String name, Page page) {
        return TraceStore.byName(database.general(), name, page);
    }

    /** JSON: an object with the names in use. */
    public Uni<String> names(Page page) {
        return TraceStore.names(database.general(), page);
    }
}
