package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.metrics.Complaints;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The check against databases that are not there, or there and silent. */
class DatabaseCheckTest {
    private static final Vertx VERTX = Vertx.vertx();
    private static final Duration IN_TIME = Duration.ofSeconds(2);

    @AfterAll
    static void close() {
        VERTX.close();
    }

    @Test
    void answers_nobodyListens_isUnavailable() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        assertThat(failure(check(port))).isEqualTo(ErrorCode.DATABASE_UNAVAILABLE);
    }

    @Test
    void answers_databaseSilent_givesUpInTime() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertThat(failure(check(silent.getLocalPort()))).isEqualTo(ErrorCode.DATABASE_UNAVAILABLE);
        }
    }

    @Test
    void answers_manyAskASilentDatabase_shareOneConnection() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            DatabaseCheck check = check(silent.getLocalPort());
            List<UniAssertSubscriber<Void>> asking = Stream.generate(
                            () -> check.answers().subscribe().withSubscriber(UniAssertSubscriber.<Void>create()))
                    .limit(20)
                    .toList();
            asking.forEach(one -> one.awaitFailure(IN_TIME));
            silent.accept().close();
            silent.setSoTimeout(1);
            assertThat(pending(silent)).isFalse();
        }
    }

    private static boolean pending(ServerSocket socket) throws Exception {
        try {
            socket.accept().close();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private static ErrorCode failure(DatabaseCheck check) {
        Throwable failure = check.answers()
                .subscribe()
                .withSubscriber(UniAssertSubscriber.create())
                .awaitFailure(IN_TIME)
                .getFailure();
        return ((QueenException) failure).code();
    }

    private static DatabaseCheck check(int port) {
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        Database database = new Database(
                TestConfig.defaults(),
                new Login(TestConfig.defaults(), url, "postgres", "none"),
                VERTX,
                new Complaints());
        database.admit();
        return new DatabaseCheck(database);
    }
}
