package io.queen.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** One PostgreSQL cluster on disk, and the programs that create, start and stop it. */
final class Cluster {
    static final String USER = "queen";
    private static final Duration CREATE_LIMIT = Duration.ofMinutes(2);
    /** Not a measure of a start, which takes half a second, but of the log that a crash leaves to be replayed. */
    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final Path directory;
    private final Path data;
    private final Binaries binaries;
    private final Account account;

    Cluster(Path directory, Binaries binaries, Account account) {
        this.directory = directory;
        this.data = directory.resolve("postgres");
        this.binaries = binaries;
        this.account = account;
    }

    /** Made aside and renamed, so that a first start that was killed is simply a first start again. */
    void createIfMissing() throws IOException {
        if (Files.isDirectory(data)) {
            checkVersion();
            return;
        }
        Path fresh = directory.resolve("postgres.new");
        Directories.delete(fresh);
        account.own(directory);
        initdb(fresh);
        Files.writeString(fresh.resolve("postgresql.conf"), "\ninclude 'queen.conf'\n", StandardOpenOption.APPEND);
        Files.move(fresh, data, StandardCopyOption.ATOMIC_MOVE);
    }

    private void initdb(Path fresh) {
        String password = directory.resolve(Password.FILE).toString();
        run(
                        CREATE_LIMIT,
                        binaries.program("initdb"),
                        "--pgdata=" + fresh,
                        "--username=" + USER,
                        "--pwfile=" + password,
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--data-checksums",
                        "--no-instructions")
                .orThrow("PostgreSQL could not create its data in " + directory);
    }

    private void checkVersion() throws IOException {
        String version = Files.readString(data.resolve("PG_VERSION")).strip();
        if (!version.equals(binaries.major())) {
            throw new PostgresException("The data in " + directory + " was written by PostgreSQL " + version
                    + ", but this Queen brings PostgreSQL " + binaries.major() + "; start the Queen that wrote it, or"
                    + " choose another directory with QUEEN_DATA_DIR.");
        }
    }

    /** Ends the PostgreSQL that a killed server left running. */
    void stopOrphan() throws IOException {
        if (Postmaster.running(data).isPresent()) {
            stop();
        }
        Postmaster.removeForeignFile(data);
    }

    void start(int port) throws IOException {
        Files.writeString(data.resolve("queen.conf"), Settings.text(port, binaries.hasLibrary("pg_stat_statements")));
        PostgresLog log = PostgresLog.startNew(directory);
        account.own(directory);
        Command started = run(START_LIMIT.plusSeconds(10), pgCtl("start", START_LIMIT, "--log=" + log.file()));
        if (!started.succeeded()) {
            stop();
            throw new PostgresException(
                    "PostgreSQL did not start in " + directory + ". The end of " + log.file() + ":\n" + log.tail());
        }
    }

    boolean isRunning() throws IOException {
        return Postmaster.running(data).isPresent();
    }

    /** Fast: sessions end, everything is written. Immediate, when that takes too long: the log is replayed later. */
    void stop() throws IOException {
        if (Postmaster.running(data).isEmpty()) {
            return;
        }
        if (!run(STOP_LIMIT.plusSeconds(5), pgCtl("stop", STOP_LIMIT, "--mode=fast"))
                .succeeded()) {
            run(STOP_LIMIT.plusSeconds(5), pgCtl("stop", STOP_LIMIT, "--mode=immediate"))
                    .orThrow("Could not stop the PostgreSQL of " + directory);
        }
    }

    private String[] pgCtl(String action, Duration limit, String option) {
        String seconds = "--timeout=" + limit.toSeconds();
        return new String[] {binaries.program("pg_ctl"), action, "--pgdata=" + data, "--wait", seconds, option};
    }

    private Command run(Duration limit, String... program) {
        return Command.run(account.command(program), directory, limit);
    }
}
