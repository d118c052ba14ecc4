package io.queen.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Ports;
import io.queen.testing.RawHttp;
import io.queen.testing.ServerProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;

/**
 * Some clients give a pop a hundred milliseconds, also the first one: {@code mvn package -DskipTests && mvn
 * surefire:test -Dtest=FirstPopBenchmark}.
 */
class FirstPopBenchmark {
    @RepeatedTest(4)
    void pop_rightAfterTheStart() throws Exception {
        TestPostgres postgres = TestPostgres.shared()
                .createDatabase("first_pop_" + System.nanoTime())
                .migrate();
        Map<String, String> environment = postgres.environment();
        try (ServerProcess server = ServerProcess.start(environment)) {
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> Ports.listens(server.port()));
            long start = System.nanoTime();
            // A client that has to warm up itself would be measured too.
            try (RawHttp connection = new RawHttp(server.port())) {
                connection.send("GET /api/v1/pop/queue/first HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(connection.answer().status()).isEqualTo(204);
            }
            System.out.printf("The first pop took %.0f ms%n", (System.nanoTime() - start) / 1e6);
        }
    }
}
