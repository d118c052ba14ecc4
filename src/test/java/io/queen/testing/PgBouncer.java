package io.queen.testing;

import static org.awaitility.Awaitility.await;

import io.queen.embedded.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A real PgBouncer in transaction mode before the PostgreSQL of the tests, with fewer sessions than any server wants. */
public final class PgBouncer implements AutoCloseable {
    public static final int SESSIONS = 3;

    private final Process process;
    private final int port;

    private PgBouncer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    public static boolean installed() {
        return program() != null;
    }

    private static Path program() {
        return Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    public static PgBouncer start(TestPostgres postgres, Path directory) throws IOException {
        int port = Ports.free();
        Path ini = Files.writeString(directory.resolve("pgbouncer.ini"), """
                [databases]
                %1$s = host=%2$s port=%3$d user=%4$s password=%5$s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %6$d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = %7$d
                max_client_conn = 200
                ignore_startup_parameters = extra_float_digits
                """.formatted(
                        postgres.database(),
                        postgres.host(),
                        postgres.port(),
                        postgres.user(),
                        postgres.password(),
                        port,
                        SESSIONS));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        // It refuses to run as root, and drops to this account by itself.
        boolean root = "root".equals(System.getProperty("user.name"));
        List<String> command = root
                ? List.of(program().toString(), "-u", "nobody", ini.toString())
                : List.of(program().toString(), ini.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("pgbouncer.log").toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        await().atMost(Duration.ofSeconds(60)).until(() -> Ports.listens(port));
        return new PgBouncer(process, port);
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
