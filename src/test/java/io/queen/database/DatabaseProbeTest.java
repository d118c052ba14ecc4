package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.embedded.TestPostgres;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class DatabaseProbeTest {
    private static final Vertx VERTX = Vertx.vertx();
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @AfterAll
    static void close() throws Exception {
        VERTX.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Test
    void at_postgres_answers() {
        TestPostgres postgres = TestPostgres.shared();
        knock(new DatabaseAddress.Host(postgres.host(), postgres.port()), 30_000)
                .awaitItem(LIMIT)
                .assertCompleted();
    }

    @Test
    void at_acceptedButSilent_givesUpAndLetsGoOfTheConnection() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            knock(new DatabaseAddress.Host("127.0.0.1", silent.getLocalPort()), 200)
                    .awaitFailure(LIMIT)
                    .assertFailedWith(java.io.IOException.class, "no answer within 200 ms");
            try (Socket accepted = silent.accept()) {
                accepted.setSoTimeout(30_000);
                assertThat(accepted.getInputStream().readNBytes(9)).hasSize(8);
            }
        }
    }

    @Test
    void at_nobody_isRefused() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        knock(new DatabaseAddress.Host("127.0.0.1", port), 30_000).awaitFailure(LIMIT);
    }

    private static UniAssertSubscriber<Void> knock(DatabaseAddress.Host host, long limit) {
        return new DatabaseProbe(VERTX, 2000).at(host, limit).subscribe().withSubscriber(UniAssertSubscriber.create());
    }
}
