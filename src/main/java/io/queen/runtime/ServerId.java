package io.queen.runtime;

import io.queen.config.QueenConfig;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** The name of this server among those of its database: host, port and process. */
@Singleton
public final class ServerId {
    private final String hostname = host();
    private final int port;
    private final long pid = ProcessHandle.current().pid();

    ServerId(QueenConfig config) {
        this.port = config.http().port();
    }

    /** Unique for each process: {@code host:6632:4711}. */
    public String value() {
        return hostname + ":" + port + ":" + pid;
    }

    public String hostname() {
        return hostname;
    }

    public int port() {
        return port;
    }

    public long pid() {
        return pid;
    }

    private static String host() {
        return Optional.ofNullable(System.getenv("HOSTNAME"))
                .filter(name -> !name.isBlank())
                .orElseGet(ServerId::resolved);
    }

    private static String resolved() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
