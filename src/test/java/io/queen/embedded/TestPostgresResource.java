package io.queen.embedded;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Gives every {@code @QuarkusTest} the PostgreSQL of the test JVM, and a directory for its file buffer; registered as a
 * service, so none has to ask.
 */
public final class TestPostgresResource implements QuarkusTestResourceLifecycleManager {
    @Override
    public Map<String, String> start() {
        Map<String, String> config = new HashMap<>(TestPostgres.shared().config());
        config.put(
                "queen.buffer.dir",
                Path.of("target", "test-buffers", UUID.randomUUID().toString())
                        .toAbsolutePath()
                        .toString());
        return config;
    }

    /** The next test class uses the same PostgreSQL; it stops with the JVM. */
    @Override
    public void stop() {}
}
