package io.queen.embedded;

import io.queen.testing.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A PostgreSQL that is installed on this machine, on a cluster of its own with the settings it was packaged with: JIT, the
 * planner and memory as operators have them, not as ours has them. Only what the tests cannot do without is set: where it
 * listens, and that statements are counted.
 */
final class InstalledPostgres {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

    private final Path directory;
    private final Binaries binaries;
    private final Account account;

    private InstalledPostgres(Path directory, Binaries binaries) throws IOException {
        this.directory = directory;
        this.binaries = binaries;
        this.account = Account.of(directory);
    }

    /** Where the newest one is, if there is one; {@code -Dtest.postgres.home=…} names another. */
    static Optional<Path> home() {
        String named = System.getProperty("test.postgres.home");
        Stream<Path> homes = named == null ? Stream.concat(packaged(), onPath()) : Stream.of(Path.of(named));
        return homes.filter(home -> Files.isExecutable(home.resolve("bin/initdb")))
                .findFirst();
    }

    private static Stream<Path> packaged() {
        if (!Files.isDirectory(DEBIAN)) {
            return Stream.of();
        }
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            Comparator<Path> byVersion = Comparator.comparingInt(InstalledPostgres::version);
            return versions.sorted(byVersion.reversed()).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int version(Path home) {
        String name = home.getFileName().toString();
        return name.matches("[0-9]{1,4}") ? Integer.parseInt(name) : 0;
    }

    private static Stream<Path> onPath() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .map(Path::getParent)
                .filter(parent -> parent != null);
    }

    /** Starts it on an empty directory; it stops with this JVM. */
    static PostgresAddress start(Path directory) throws IOException {
        Path home = home().orElseThrow(() -> new PostgresException("No PostgreSQL is installed on this machine"));
        Path real = Directories.createPrivate(directory);
        InstalledPostgres postgres = new InstalledPostgres(real, new Binaries(home, version(home) + ".0"));
        String password = Password.readOrCreate(real);
        PostgresAddress address = new PostgresAddress(Ports.free(), Cluster.USER, password);
        postgres.create(address.port());
        postgres.pgCtl("start", "--log=" + PostgresLog.startNew(real).file());
        Runtime.getRuntime().addShutdownHook(new Thread(postgres::stopAndDelete));
        Preparation.run(address);
        return address;
    }

    private void create(int port) throws IOException {
        account.own(directory);
        run(
                binaries.program("initdb"),
                "--pgdata=" + data(),
                "--username=" + Cluster.USER,
                "--pwfile=" + directory.resolve(Password.FILE),
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C");
        Files.write(
                data().resolve("postgresql.conf"),
                List.of(
                        "port = " + port,
                        "listen_addresses = '127.0.0.1'",
                        "unix_socket_directories = ''",
                        "shared_preload_libraries = 'pg_stat_statements'"),
                StandardOpenOption.APPEND);
    }

    private void stopAndDelete() {
        try {
            pgCtl("stop", "--mode=immediate");
            Directories.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pgCtl(String action, String option) {
        run(binaries.program("pg_ctl"), action, "--pgdata=" + data(), "--wait", option);
    }

    private void run(String... program) {
        Command.run(account.command(program), directory, LIMIT).orThrow(program[0] + " failed");
    }

    private Path data() {
        return directory.resolve("postgres");
    }
}
