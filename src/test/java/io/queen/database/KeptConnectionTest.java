package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.TestPostgres;
import io.queen.metrics.Complaints;
import io.queen.testing.Sql;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeptConnectionTest implements KeptConnection.User {
    private static final String PROCESS = "select pid from pg_stat_activity where application_name = ?";

    private final TestPostgres postgres = TestPostgres.shared();
    private final Vertx vertx = Vertx.vertx();
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private KeptConnection kept;

    @AfterEach
    void close() {
        kept.stop();
        await().until(() -> !kept.isOpen());
        vertx.close();
    }

    @Override
    public Uni<Void> opened(Connection connection) {
        opened.incrementAndGet();
        return Uni.createFrom().voidItem();
    }

    @Override
    public void refused(Throwable failure) {
        refused.incrementAndGet();
    }

    @Override
    public Uni<Void> unanswered() {
        unanswered.incrementAndGet();
        return Uni.createFrom().voidItem();
    }

    @Test
    void keep_connectionEnded_opensAnother() {
        start("kept-ended", postgres.port());
        end("kept-ended");
        await().until(() -> opened.get() == 2 && kept.isOpen());
        assertThat(unanswered).hasValue(0);
    }

    @Test
    void keep_noAnswer_givesUpAndOpensAnother() throws Exception {
        try (MuteProxy proxy = new MuteProxy(postgres.port())) {
            start("kept-mute", proxy.port());
            end("kept-mute");
            await().until(() -> opened.get() == 2 && kept.isOpen());
        }
        assertThat(unanswered).hasValue(1);
    }

    @Test
    void keep_messagesLackAConnection_givesWayUntilTheyHaveOne() {
        Database database = start("kept-yielding", postgres.port());
        database.messagesLack("loop");
        assertThat(database.messagesRefused("loop", new IllegalStateException("too many")))
                .isTrue();
        await().until(() -> !kept.isOpen());
        assertThat(opened).hasValue(1);
        database.messagesHave("loop");
        await().until(kept::isOpen);
    }

    @Test
    void keep_refused_triesAgain() {
        Database database = database(postgres.port());
        kept = new KeptConnection(database, vertx, "kept-refused", this);
        kept.start();
        await().until(() -> refused.get() > 2);
        database.admit();
        await().until(kept::isOpen);
    }

    private Database start(String name, int port) {
        Database database = database(port);
        database.admit();
        kept = new KeptConnection(database, vertx, name, this);
        kept.start();
        await().until(kept::isOpen);
        return database;
    }

    private Database database(int port) {
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/" + postgres.database();
        Login login = new Login(TestConfig.defaults(), url, postgres.user(), postgres.password());
        return new Database(TestConfig.defaults(), login, vertx, new Complaints());
    }

    private static void end(String name) {
        try (Sql sql = Sql.open()) {
            long process = sql.number(PROCESS, name);
            sql.run("select pg_terminate_backend(?)", (int) process);
        }
    }
}
