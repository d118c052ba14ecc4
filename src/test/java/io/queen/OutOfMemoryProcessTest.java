package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.ServerProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The packaged server, started without any switch for it, on a heap that pops of large messages exhaust. */
class OutOfMemoryProcessTest {
    private static final int MESSAGES = 8;
    private static final int LARGE = 3 << 20;
    private static final int POPPERS = 24;
    private static final int EXIT_CODE = 3;

    private final String queue = Partitions.name("memory");
    private final AtomicInteger groups = new AtomicInteger();

    @Test
    void server_outOfMemory_ends() throws Exception {
        TestPostgres postgres = TestPostgres.shared();
        postgres.migrate();
        try (ServerProcess server = ServerProcess.start(Map.of(
                        "PG_HOST", postgres.host(),
                        "PG_PORT", Integer.toString(postgres.port()),
                        "PG_DB", postgres.database(),
                        "PG_USER", postgres.user(),
                        "PG_PASSWORD", postgres.password(),
                        "JDK_JAVA_OPTIONS", "-Xmx72m"))
                .awaitReady()) {
            for (int i = 0; i < MESSAGES; i++) {
                push(server);
            }
            popUntilItEnds(server);
            assertThat(server.awaitExit()).isEqualTo(EXIT_CODE);
            assertThat(server.log()).contains("out of memory");
        }
    }

    private void popUntilItEnds(ServerProcess server) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(POPPERS);
        List<Runnable> poppers = new ArrayList<>();
        for (int i = 0; i < POPPERS; i++) {
            poppers.add(() -> {
                while (server.isAlive()) {
                    pop(server);
                }
            });
        }
        poppers.forEach(threads::execute);
        threads.shutdown();
        assertThat(threads.awaitTermination(3, TimeUnit.MINUTES)).isTrue();
    }

    /** Each time for another group, so that there is always something. */
    private void pop(ServerProcess server) {
        String path = "/api/v1/pop/queue/" + queue + "?batch=10&consumerGroup=g" + groups.incrementAndGet();
        try {
            server.get(path);
        } catch (IOException ended) {
            // It is about to.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void push(ServerProcess server) throws Exception {
        JsonObject item = new JsonObject().put("queue", queue).put("payload", "x".repeat(LARGE));
        assertThat(server.push(item).statusCode()).isEqualTo(201);
    }
}
