package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Ports;
import io.queen.testing.ServerProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A collector that does not do its work is no concern of the messages. */
class TracingProcessTest {
    private static final int REQUESTS = 500;
    private static final Duration END = Duration.ofSeconds(20);

    @ParameterizedTest
    @ValueSource(strings = {"grpc", "http/protobuf"})
    void messages_collectorRefuses_goOn(String protocol) throws Exception {
        assertServes(protocol, Ports.free());
    }

    @ParameterizedTest
    @ValueSource(strings = {"grpc", "http/protobuf"})
    void messages_collectorNeverAnswers_goOn(String protocol) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertServes(protocol, silent.getLocalPort());
        }
    }

    private static void assertServes(String protocol, int port) throws Exception {
        Map<String, String> environment = new HashMap<>(
                TestPostgres.shared().createDatabase("tracing_" + port).environment());
        environment.put("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:" + port);
        environment.put("OTEL_EXPORTER_OTLP_PROTOCOL", protocol);
        environment.put("OTEL_EXPORTER_OTLP_TIMEOUT", "1000");
        environment.put("OTEL_BSP_SCHEDULE_DELAY", "100");
        // Other programs of the host may need these.
        environment.put("OTEL_TRACES_EXPORTER", "otlp");
        environment.put("OTEL_METRICS_EXPORTER", "otlp");
        environment.put("OTEL_LOGS_EXPORTER", "otlp");
        environment.put("OTEL_PROPAGATORS", "b3");
        ServerProcess server = ServerProcess.start(environment).awaitReady();
        String queue = "tracing-" + UUID.randomUUID();
        for (int i = 0; i < REQUESTS; i++) {
            server.push(queue, "p" + i % 10, i);
        }
        long before = System.nanoTime();
        server.terminate();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(END);
        assertThat(server.awaitExit()).as(server.log()).isIn(0, 143);
        assertThat(server.log()).doesNotContain("\tat ");
        assertThat(server.log().lines().filter(line -> line.contains("Failed to export")))
                .as("complaints")
                .hasSizeLessThan(12);
    }
}
