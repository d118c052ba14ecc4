package io.queen.history;

import io.queen.testing.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Two servers on one PostgreSQL, all of them processes of their own. */
final class Installation implements AutoCloseable {
    static final int SERVERS = 2;
    /** Few event loops, so that a handful of connections reaches all of them. */
    static final int EVENT_LOOPS = 2;

    private final Path directory;
    private final Postgres postgres;
    private final AtomicReferenceArray<ServerProcess> servers = new AtomicReferenceArray<>(SERVERS);

    Installation(Path directory) {
        this.directory = directory;
        this.postgres = new Postgres(directory.resolve("database"));
        try {
            for (int server = 0; server < SERVERS; server++) {
                start(server);
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    Postgres postgres() {
        return postgres;
    }

    ServerProcess server(int number) {
        return servers.get(number);
    }

    URI uri(int number, String path) {
        return server(number).uri(path);
    }

    /** Starts the server, on the same directory for its buffer, and waits until it is ready. */
    void start(int number) {
        launch(number);
        server(number).awaitReady();
    }

    /** Starts it, and waits for nothing. */
    void launch(int number) {
        Map<String, String> environment = Map.of(
                "PG_HOST", postgres.address().host(),
                "PG_PORT", Integer.toString(postgres.address().port()),
                "PG_DB", postgres.address().database(),
                "PG_USER", postgres.address().user(),
                "PG_PASSWORD", postgres.address().password(),
                "NUM_WORKERS", Integer.toString(EVENT_LOOPS),
                "SIDECAR_POOL_SIZE", "6",
                "QUEEN_DATA_DIR", directory.resolve("server-" + number).toString(),
                "FILE_BUFFER_DIR", buffer(number).toString());
        try {
            servers.set(number, ServerProcess.start(environment));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the server keeps what it can't push. */
    Path buffer(int number) {
        return directory.resolve("buffer-" + number);
    }

    void pause(int number) {
        Processes.signal("STOP", List.of(server(number).pid()));
    }

    void resume(int number) {
        Processes.signal("CONT", List.of(server(number).pid()));
    }

    /** What the servers said, for the one who looks into a violation. */
    String logs() {
        StringBuilder logs = new StringBuilder();
        for (int number = 0; number < SERVERS; number++) {
            logs.append("server ")
                    .append(number)
                    .append(":\n")
                    .append(server(number).log());
        }
        return logs.toString();
    }

    @Override
    public void close() {
        for (int number = 0; number < SERVERS; number++) {
            if (server(number) != null) {
                server(number).kill();
            }
        }
        postgres.close();
    }
}
