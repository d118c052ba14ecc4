package io.queen;

import io.queen.config.SettingsException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/** Whose PostgreSQL is used: the user's as soon as he names one, in any of the ways to name it, else our own. */
final class DatabaseChoice {
    private DatabaseChoice() {}

    static boolean isConfigured(Config config) {
        return Stream.of(
                        "queen.database.host",
                        "PG_HOST",
                        "quarkus.datasource.jdbc.url",
                        "quarkus.datasource.reactive.url")
                .anyMatch(key -> isSet(config, key));
    }

    /** Without a PostgreSQL that is named there is only our own, and that must be wanted. */
    static void requireEmbedded(Config config) {
        if (!config.getOptionalValue("queen.embedded", Boolean.class).orElse(true)) {
            throw new SettingsException("No PostgreSQL is named: set PG_HOST, and PG_PORT, PG_DB, PG_USER and"
                    + " PG_PASSWORD where they differ from their defaults. To run on an embedded PostgreSQL set"
                    + " QUEEN_EMBEDDED=true, and QUEEN_DATA_DIR to a directory that is kept.");
        }
    }

    static Path dataDirectory(Config config) {
        return Path.of(config.getOptionalValue("queen.data-dir", String.class)
                .filter(value -> !value.isBlank())
                .orElseGet(
                        () -> Path.of(System.getProperty("user.home"), ".queen").toString()));
    }

    private static boolean isSet(Config config, String key) {
        return config.getOptionalValue(key, String.class)
                .filter(value -> !value.isBlank())
                .isPresent();
    }
}
