package io.queen;

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
