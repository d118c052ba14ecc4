package io.queen.pop;

import io.quarkus.runtime.StartupEvent;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.message.Ack;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.runtime.EventLoops;
import io.queen.runtime.Stopping;
import io.smallrye.mutiny.TimeoutException;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Each event loop has popped once before the port opens, and answers the pops that wait when the server stops. */
@Singleton
final class PopLife {
    private static final Logger LOG = Logger.getLogger(PopLife.class);
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final PopRequest NOTHING =
            new PopRequest(new PopTarget.Partition("", ""), Ack.QUEUE_MODE, 1, 1, false, null, null, null);

    private final EventLoops loops;
    private final LongPolls polls;
    private final Schema schema;
    private final Database database;
    private final Stopping stopping;

    PopLife(EventLoops loops, LongPolls polls, Schema schema, Database database, Stopping stopping) {
        this.loops = loops;
        this.polls = polls;
        this.schema = schema;
        this.database = database;
        this.stopping = stopping;
    }

    /** After the connections, which have priority 2; when they are not there in time the start waits no longer. */
    void start(@Observes @Priority(3) StartupEvent event) {
        stopping.onBegin(() -> loops.runOnAll(polls::end).subscribe().with(done -> {}));
        if (schema.ready() && database.messagesServed()) {
            try {
                loops.onAll(() -> polls.pop(NOTHING, 0, ClientGone.NEVER).replaceWithVoid())
                        .await()
                        .atMost(LIMIT);
            } catch (TimeoutException e) {
                LOG.info("PostgreSQL is slow: the first requests will be too");
            }
        }
    }
}
