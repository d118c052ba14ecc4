package io.queen.config;

import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** How this server is told from others: host and port, for people, and a few digits that are new with every start. */
@Singleton
public final class ServerId {
    private static final int DIGITS = 6;

    private final String value;

    ServerId(QueenConfig config) {
        String unique = UUID.randomUUID().toString().substring(0, DIGITS);
        this.value = host() + ":" + config.http().port() + "-" + unique;
    }

    public String value() {
        return value;
    }

    private static String host() {
        String name = System.getenv("HOSTNAME");
        if (name != null && !name.isBlank()) {
            return name;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
