package io.queen.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.RawHttp;
import io.queen.testing.RawHttp.Answer;
import io.queen.testing.WithTokens;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Bad tokens, to every route: none gets in, and none makes the server complain. */
@QuarkusTest
@TestProfile(WithTokens.class)
class TokenFuzzTest {
    private static final int REQUESTS = Integer.getInteger("fuzz.tokens", 10_000);
    private static final int CONNECTIONS = 4;
    private static final long SEED = 16;

    @TestHTTPResource("/")
    URI server;

    @Test
    void everyRoute_badTokens_isRefusedWithoutATrace() throws Exception {
        Queue<String> complaints = new ConcurrentLinkedQueue<>();
        Handler listener = listener(complaints);
        Logger.getLogger("").addHandler(listener);
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Callable<Integer>> senders = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                int number = i;
                senders.add(() -> send(new Random(SEED + number), REQUESTS / CONNECTIONS));
            }
            int refused = 0;
            for (Future<Integer> sender : threads.invokeAll(senders)) {
                refused += sender.get();
            }
            assertThat(refused).isEqualTo(REQUESTS);
        } finally {
            threads.shutdown();
            Logger.getLogger("").removeHandler(listener);
        }
        assertThat(complaints).isEmpty();
    }

    private static Handler listener(Queue<String> complaints) {
        return new Handler() {
            @Override
            public void publish(LogRecord log) {
                if (log.getThrown() != null || log.getLevel().intValue() >= Level.WARNING.intValue()) {
                    complaints.add(log.getLoggerName() + ": " + log.getMessage() + " " + log.getThrown());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    private int send(Random random, int requests) throws IOException {
        List<String> routes = new AccessTable()
                .levels().entrySet().stream()
                        .filter(route -> route.getValue() != io.queen.security.Level.PUBLIC)
                        .map(route -> route.getKey().replaceAll("\\{\\w+}", "fuzz"))
                        .toList();
        BadTokens tokens = new BadTokens(random);
        int refused = 0;
        RawHttp connection = new RawHttp(server.getPort());
        for (int i = 0; i < requests; i++) {
            String route = routes.get(i % routes.size());
            String token = tokens.next();
            connection.send(
                    (route + " HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nAuthorization: Bearer " + token + "\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            Answer answer = connection.answer();
            assertThat(answer.status())
                    .as(route + " " + token + " " + answer.body())
                    .isIn(401, 403);
            assertThat(answer.body()).doesNotContain("Exception", "jose4j", ".java");
            refused++;
            if (answer.closes()) {
                connection.close();
                connection = new RawHttp(server.getPort());
            }
        }
        connection.close();
        return refused;
    }
}
