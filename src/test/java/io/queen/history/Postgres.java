package io.queen.history;

import static org.awaitility.Awaitility.await;

import io.queen.embedded.EmbeddedPostgres;
import io.queen.embedded.PostgresAddress;
import io.queen.embedded.PostgresException;
import io.queen.embedded.TestPostgres;
import io.queen.testing.Sql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A PostgreSQL cluster that can be stopped, killed, frozen and started again at the same port. */
final class Postgres implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Path directory;
    private EmbeddedPostgres running;

    Postgres(Path directory) {
        this.directory = directory;
        this.running = TestPostgres.start(directory, 0);
    }

    PostgresAddress address() {
        return running.address();
    }

    Sql connect() {
        return Sql.open(address());
    }

    Path data() {
        return directory.resolve("postgres");
    }

    /** As a machine that loses its power: no process gets to do anything more. */
    void kill() {
        // Frozen first, or the first to notice would begin to tidy up.
        List<Long> pids = freeze();
        Processes.signal("KILL", pids);
        ended(pids);
    }

    /** As an operator in a hurry: sessions end at once, nothing is written any more. */
    void stopImmediately() {
        List<Long> pids = pids();
        Processes.signal("QUIT", pids.subList(0, 1));
        ended(pids);
    }

    private void ended(List<Long> pids) {
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(20)).until(() -> !Processes.anyAlive(pids));
        running.close();
    }

    /** At the port it had before: another program may hold that for a moment. */
    void startAgain() {
        int port = address().port();
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(PostgresException.class)
                .until(() -> {
                    running = TestPostgres.start(directory, port);
                    return true;
                });
    }

    List<Long> freeze() {
        List<Long> pids = pids();
        Processes.signal("STOP", pids.subList(0, 1));
        // With the postmaster frozen there are no new ones.
        List<Long> all = pids();
        Processes.signal("STOP", all);
        return all;
    }

    void thaw(List<Long> pids) {
        Processes.signal("CONT", pids);
    }

    private List<Long> pids() {
        try {
            long postmaster = Long.parseLong(
                    Files.readAllLines(data().resolve("postmaster.pid")).get(0).strip());
            return Processes.family(postmaster);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        running.close();
    }
}
