package io.queen.testing;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.nio.file.Path;
import java.util.Map;

/** A server that can keep next to nothing: two requests in memory, and none in files, whose directory can't be made. */
public final class NoRoom implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "queen.sidecar.max-waiting", "2",
                "queen.sidecar.max-lists-in-flight", "1",
                "queen.buffer.dir",
                        Path.of("pom.xml", "buffers").toAbsolutePath().toString());
    }
}
