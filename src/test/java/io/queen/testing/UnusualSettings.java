package io.queen.testing;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Settings that several test classes want, each another, and that do not get into each other's way: to build and start a
 * server for each class costs more than the tests.
 */
public final class UnusualSettings implements QuarkusTestProfile {
    /** Two bodies of four megabytes. */
    public static final int BODY_ROOM = 8 << 20;

    public static final int BODY_TIMEOUT_MILLIS = 2000;

    /** An origin that is listed. */
    public static final String ORIGIN = "https://app.example.org";

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "queen.strict",
                "true",
                "queen.cors.origins",
                ORIGIN + ",http://localhost:3000",
                "queen.http.max-bytes-in-work",
                Integer.toString(BODY_ROOM),
                "queen.http.body-timeout",
                Integer.toString(BODY_TIMEOUT_MILLIS),
                "queen.webapp-root",
                dashboard().toString(),
                "queen.encryption-keys",
                "new:" + "fedcba9876543210".repeat(4),
                "queen.encryption-key",
                "0123456789abcdef".repeat(4),
                "queen.buffer.max-size",
                "4K",
                "queen.database.lock-timeout",
                "3000");
    }

    /** A few files, and a secret beside them. */
    private static Path dashboard() {
        try {
            Path outside = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "webapp-");
            Files.writeString(outside.resolve("secret.txt"), "secret");
            Path root = Files.createDirectories(outside.resolve("dist"));
            Files.createDirectories(root.resolve("assets"));
            Files.writeString(root.resolve("index.html"), "<page>");
            Files.writeString(root.resolve("favicon.ico"), "icon");
            Files.writeString(root.resolve("with space+.json"), "{}");
            Files.writeString(root.resolve("app-3f2a9c1b.js"), "hashed");
            Files.writeString(root.resolve("assets/logo.svg"), "<svg/>");
            return root;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
