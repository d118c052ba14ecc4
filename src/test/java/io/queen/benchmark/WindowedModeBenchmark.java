package io.queen.benchmark;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both modes in one run: {@code mvn test -Dtest='*ModeBenchmark'}. */
@QuarkusTest
@TestProfile(WindowedModeBenchmark.Mode.class)
class WindowedModeBenchmark {
    /** Whether lists leave while a connection is free. */
    public static final class Mode implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("queen.sidecar.eager", "false");
        }
    }

    @TestHTTPResource
    URI server;

    @ParameterizedTest
    @ValueSource(ints = {64, 1, 64, 1})
    void push_messagesOneByOne(int connections) throws Exception {
        PushLoad.run("Windowed lists", server.getPort(), connections, 3, 8);
    }
}
