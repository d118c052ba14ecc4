package io.queen.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.agroal.api.AgroalDataSource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.queen.embedded.TestPostgres;
import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Sql;
import io.queen.testing.TestTokens;
import io.vertx.core.json.JsonArray;
import jakarta.inject.Inject;
import java.net.URI;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.assertj.core.api.SoftAssertions;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/**
 * Counts, and does not time, what each operation costs: a change that needs another statement, touches more pages,
 * writes more log or allocates more fails here and not on a machine in production.
 *
 * <p>One event loop, one connection, a database of its own, and requests one after the other. Of several rounds the
 * least counts: what else PostgreSQL and the JVM do from time to time (a checkpoint's full pages, a split of an index
 * page, a scheduled statement, a class that is loaded) only ever adds. Without a twin: it looks into the JVM.
 */
@AlsoOnInstalledPostgres
@QuarkusTest
@TestProfile(CostGuardTest.Alone.class)
class CostGuardTest {
    private static final int ROUNDS = 6;
    private static final int REQUESTS = 20;
    /** Statements are exact. The compiler of the JVM decides how much is really allocated: it may only be less. */
    private static final double WAL_MARGIN = TestPostgres.isInstalledOne() ? 1.3 : 1.15;

    /** The figures are those of the embedded PostgreSQL; another version, with other settings, is a little different. */
    private static final double BUFFER_MARGIN = TestPostgres.isInstalledOne() ? 1.3 : 1.1;
    /** The figures are those of Java 17; a later one compiles, and so allocates, in another way. */
    private static final double ALLOCATION_MARGIN = Runtime.version().feature() == 17 ? 1.2 : 1.5;

    /** The header itself is 500 bytes, once as bytes and twice as text. */
    private static final double TOKEN_MARGIN = 1.15;

    /** A cycle against a transaction of the same messages and pushes: the state is what it may cost more. */
    private static final double CYCLE_MARGIN = 1.3;

    private static final int CYCLE = 200;
    private static final int RESULTS = 20;

    /**
     * One sidecar with one connection, in a database that nobody else uses. It asks for tokens, but for the paths that are
     * measured without: a push to {@code /api/v1/push/} is one with a token.
     */
    public static final class Alone implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "queen.http.workers", "1",
                    "queen.sidecar.pool-size", "1",
                    "queen.pop.listen", "false",
                    "queen.jwt.enabled", "true",
                    "queen.jwt.secret", TestTokens.SECRET,
                    "queen.jwt.skip-paths", "/api/v1/push,/api/v1/pop/,/api/v1/ack/,/api/v1/transaction,/streams/");
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(CostDatabase.class));
        }
    }

    @TestHTTPResource
    URI server;

    @ConfigProperty(name = "queen.database.name")
    String database;

    @Inject
    AgroalDataSource source;

    private final Map<String, Cost> costs = new LinkedHashMap<>();
    private final Map<String, CostClient> clients = new LinkedHashMap<>();
    private CostMeter meter;

    @Test
    void request_eachOperation_costsNoMoreThanCommitted() throws Exception {
        assertThat(database).startsWith("cost_");
        try (CostMeter opened = new CostMeter(Sql.open(), database)) {
            meter = opened;
            measureAll();
        }
        if (Boolean.getBoolean("guard.write")) {
            CostFile.write(costs);
        }
        Map<String, Cost> committed = CostFile.read();
        assertThat(costs.keySet()).containsExactlyElementsOf(committed.keySet());
        SoftAssertions softly = new SoftAssertions();
        costs.forEach((operation, cost) -> check(softly, operation, committed.get(operation), cost));
        softly.assertThat(costs.get("push-1-token").allocatedBytes())
                .as("bytes allocated with a token that was checked before")
                .isLessThanOrEqualTo(costs.get("push-1").allocatedBytes() * TOKEN_MARGIN);
        Cost transaction = costs.get("transaction-200");
        Cost cycle = costs.get("cycle-200");
        softly.assertThat(cycle.statements()).as("statements of a cycle").isEqualTo(transaction.statements());
        softly.assertThat(cycle.buffers())
                .as("buffers of a cycle")
                .isLessThanOrEqualTo(transaction.buffers() * CYCLE_MARGIN);
        softly.assertThat(cycle.walBytes())
                .as("bytes of WAL of a cycle")
                .isLessThanOrEqualTo(transaction.walBytes() * CYCLE_MARGIN);
        softly.assertThat(cycle.allocatedBytes())
                .as("bytes allocated by a cycle")
                .isLessThanOrEqualTo(transaction.allocatedBytes() * CYCLE_MARGIN);
        softly.assertAll();
    }

    /** The first round makes tables, classes and plans ready and does not count. */
    private void measureAll() throws Exception {
        round();
        costs.clear();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("vacuum analyze");
        }
        for (int i = 0; i < ROUNDS; i++) {
            round();
        }
        // After all others: their messages make the indexes a level deeper.
        for (int i = 0; i <= ROUNDS; i++) {
            largeRound();
        }
    }

    private void round() throws Exception {
        CostClient pushes = client("push");
        measure("push-1", () -> push(pushes, 1));
        measure("push-100", () -> push(pushes, 100));
        CostClient known =
                clients.computeIfAbsent("token", name -> new CostClient(server, TestTokens.of("read-write")));
        measure("push-1-token", () -> push(known, 1));
        popAndAck(client("pop"));
        CostClient any = client("any");
        any.push(REQUESTS * CostClient.BATCH, REQUESTS);
        measure("pop-ack", () -> {
            any.ack(any.pop(null, false));
            return null;
        });
        CostClient auto = client("auto");
        auto.push(REQUESTS * CostClient.BATCH, REQUESTS);
        measure("auto-ack", () -> auto.pop(null, true));
        transact(client("transaction"));
    }

    private void largeRound() throws Exception {
        CostClient moved = client("moved");
        Deque<JsonArray> acked = popped(moved);
        measure("transaction-200", () -> {
            moved.transaction(acked.remove(), RESULTS);
            return null;
        });
        CostClient stream = client("stream");
        String query = stream.register();
        Deque<JsonArray> counted = popped(stream);
        measure("cycle-200", () -> {
            stream.cycle(query, counted.remove(), RESULTS, RESULTS);
            return null;
        });
    }

    /** A large batch of each of so many partitions. */
    private static Deque<JsonArray> popped(CostClient client) throws Exception {
        client.push(REQUESTS * CYCLE, REQUESTS);
        Deque<JsonArray> popped = new ArrayDeque<>();
        for (int i = 0; i < REQUESTS; i++) {
            popped.add(client.pop(i, false, CYCLE));
        }
        return popped;
    }

    /** The same queue in every round: the first one creates what later ones find. */
    private CostClient client(String name) {
        return clients.computeIfAbsent(name, ignored -> new CostClient(server));
    }

    private static Object push(CostClient client, int messages) throws Exception {
        client.push(messages, Math.min(messages, 10));
        return null;
    }

    private void popAndAck(CostClient client) throws Exception {
        client.push(REQUESTS * CostClient.BATCH, REQUESTS);
        Deque<JsonArray> popped = new ArrayDeque<>();
        measure("pop", () -> popped.add(client.pop(popped.size(), false)));
        measure("ack", () -> {
            client.ack(popped.remove());
            return null;
        });
    }

    private void transact(CostClient client) throws Exception {
        client.push(REQUESTS * CostClient.BATCH, REQUESTS);
        Deque<JsonArray> popped = new ArrayDeque<>();
        for (int i = 0; i < REQUESTS; i++) {
            popped.add(client.pop(i, false));
        }
        measure("transaction", () -> {
            client.transaction(popped.remove());
            return null;
        });
    }

    private void measure(String operation, Callable<?> request) throws Exception {
        costs.merge(operation, meter.measure(REQUESTS, request), Cost::least);
    }

    private static void check(SoftAssertions softly, String operation, Cost committed, Cost now) {
        String hint = "%s of %s; was\n%s\nis\n%s\nif this is meant: mvn test -Dtest=CostGuardTest -Dguard.write=true\n";
        String was = CostFile.line(operation, committed);
        String is = CostFile.line(operation, now);
        softly.assertThat(now.statements())
                .as(hint, "statements", operation, was, is)
                .isEqualTo(committed.statements());
        softly.assertThat(now.walBytes())
                .as(hint, "bytes of WAL", operation, was, is)
                .isLessThanOrEqualTo(committed.walBytes() * WAL_MARGIN);
        softly.assertThat(now.buffers())
                .as(hint, "buffers", operation, was, is)
                .isLessThanOrEqualTo(committed.buffers() * BUFFER_MARGIN);
        softly.assertThat(now.allocatedBytes())
                .as(hint, "bytes allocated", operation, was, is)
                .isLessThanOrEqualTo(committed.allocatedBytes() * ALLOCATION_MARGIN);
    }
}
