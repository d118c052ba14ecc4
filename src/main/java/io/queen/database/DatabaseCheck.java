package io.queen.database;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;

/**
 * Whether PostgreSQL answers. A database that hangs must not hang the caller, and many callers must not use up the
 * pool: all of them share one query and give up on it after a while.
 */
@Singleton
public final class DatabaseCheck {
    /** Clients give {@code /health} two seconds. */
    private static final Duration PATIENCE = Duration.ofMillis(1500);
    /** A query that got no answer for this long is lost (its host is gone without a word): ask with another one. */
    private static final Duration LOST = Duration.ofSeconds(10);

    private final Database database;
    private Uni<Void> asking;
    private long askedAt;

    DatabaseCheck(Database database) {
        this.database = database;
    }

    /** Completes when PostgreSQL has answered; fails with a {@code QueenException} when it has not. */
    public Uni<Void> answers() {
        return shared().ifNoItem().after(PATIENCE).fail().onFailure().transform(DatabaseFailure::translate);
    }

    private synchronized Uni<Void> shared() {
        if (asking == null || System.nanoTime() - askedAt > LOST.toNanos()) {
            askedAt = System.nanoTime();
            Uni<Void> query = database.pool()
                    .query("select 1")
                    .execute()
                    .replaceWithVoid()
                    // This is an answer too. Whether messages have their connections is checked elsewhere.
                    .onFailure(DatabaseFailure::isConnectionLimit)
                    .recoverWithNull();
            Uni<Void> shared = query.memoize().indefinitely();
            asking = shared;
            shared.subscribe().with(done -> finished(shared), failure -> finished(shared));
            return shared;
        }
        return asking;
    }

    private synchronized void finished(Uni<Void> query) {
        if (asking == query) {
            asking = null;
        }
    }
}
