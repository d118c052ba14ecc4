package io.queen.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

/** A PostgreSQL of our own, running: started on a directory, stopped with the server, its data staying. */
public final class EmbeddedPostgres implements AutoCloseable {
    private static final int ATTEMPTS = 3;

    private final Path directory;
    private final DirectoryLock lock;
    private final Binaries binaries;
    private final Cluster cluster;
    private final PostgresAddress address;
    private boolean stopped;

    private EmbeddedPostgres(
            Path directory, DirectoryLock lock, Binaries binaries, Cluster cluster, PostgresAddress address) {
        this.directory = directory;
        this.lock = lock;
        this.binaries = binaries;
        this.cluster = cluster;
        this.address = address;
    }

    /** Starts on the directory, which is created when missing, at a free port of the loopback address. */
    public static EmbeddedPostgres start(Path directory) {
        return start(directory, directory, 0);
    }

    /**
     * Starts with the binaries in a directory of their own, which several clusters can share.
     *
     * @param port to listen on; 0 takes a free one
     */
    public static EmbeddedPostgres start(Path directory, Path binariesDirectory, int port) {
        try {
            Path real = Directories.createPrivate(directory);
            DirectoryLock lock = DirectoryLock.take(real);
            try {
                return start(real, lock, Directories.createPrivate(binariesDirectory), port);
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new PostgresException(
                    "The data directory " + directory + " cannot be used: " + e
                            + ". Choose another one with QUEEN_DATA_DIR.",
                    e);
        }
    }

    private static EmbeddedPostgres start(Path directory, DirectoryLock lock, Path binariesDirectory, int port)
            throws IOException {
        Account account = Account.of(directory);
        Binaries binaries = Binaries.unpack(binariesDirectory);
        String password = Password.readOrCreate(directory);
        Cluster cluster = new Cluster(directory, binaries, account);
        cluster.stopOrphan();
        if (binariesDirectory.equals(directory)) {
            binaries.removeOthers();
        }
        cluster.createIfMissing();
        PostgresAddress address = new PostgresAddress(startAtFreePort(cluster, port), Cluster.USER, password);
        EmbeddedPostgres postgres = new EmbeddedPostgres(directory, lock, binaries, cluster, address);
        postgres.prepareOrStop();
        return postgres;
    }

    /** Between choosing a free port and taking it another program may be faster: then another port is tried. */
    private static int startAtFreePort(Cluster cluster, int port) throws IOException {
        for (int attempt = 1; ; attempt++) {
            int chosen = port == 0 ? freePort() : port;
            try {
                cluster.start(chosen);
                return chosen;
            } catch (PostgresException e) {
                if (port != 0 || attempt == ATTEMPTS || !e.getMessage().contains("Address already in use")) {
                    throw e;
                }
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void prepareOrStop() throws IOException {
        try {
            Preparation.run(address);
        } catch (RuntimeException e) {
            cluster.stop();
            throw e;
        }
    }

    /** Starts PostgreSQL again, at the same port, if it has ended by itself; true when it had. */
    public synchronized boolean revive() throws IOException {
        if (stopped || cluster.isRunning()) {
            return false;
        }
        cluster.start(address.port());
        return true;
    }

    /** Stops PostgreSQL and frees the directory. Once; a second call waits for the first. */
    @Override
    public synchronized void close() {
        if (stopped) {
            return;
        }
        stopped = true;
        try (lock) {
            cluster.stop();
        } catch (IOException e) {
            throw new PostgresException("Could not stop the PostgreSQL of " + directory + ": " + e, e);
        }
    }

    public Path directory() {
        return directory;
    }

    public String version() {
        return binaries.version();
    }

    public PostgresAddress address() {
        return address;
    }
}
