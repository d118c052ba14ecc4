package io.queen.postgres;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** Gives every {@code @QuarkusTest} the PostgreSQL of the test JVM; registered as a service, so none has to ask. */
public final class TestPostgresResource implements QuarkusTestResourceLifecycleManager {
    @Override
    public Map<String, String> start() {
        return TestPostgres.shared().config();
    }

    /** The next test class uses the same PostgreSQL; it stops with the JVM. */
    @Override
    public void stop() {}
}
