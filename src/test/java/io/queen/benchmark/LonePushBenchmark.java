package io.queen.benchmark;

import io.queen.ServerProcess;
import io.queen.postgres.TestPostgres;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A lone push on an idle server, over HTTP, against a bare INSERT of one row into a table with the same two indexes over
 * the server's driver, round by round in turn: {@code mvn package -DskipTests && mvn surefire:test
 * -Dtest=LonePushBenchmark}.
 */
class LonePushBenchmark {
    private static final int ROUNDS = 10;
    private static final int EACH = 1000;
    private static final String BODY =
            "{\"items\":[{\"queue\":\"lone\",\"partition\":\"one\",\"payload\":{\"n\":\"" + "1".repeat(90) + "\"}}]}";
    private static final String REQUEST =
            "POST /api/v1/push HTTP/1.1\r\nHost: queen\r\nContent-Type: application/json\r\nContent-Length: "
                    + BODY.length() + "\r\n\r\n" + BODY;
    private static final String INSERT =
            "insert into public.bare (partition_id, seq, id, created_at, transaction_id, payload)"
                    + " values ($1, $2, $3, now(), $4, $5)";

    private long seq;

    @Test
    void push_lone_againstABareInsert() throws Exception {
        TestPostgres postgres = TestPostgres.shared()
                .createDatabase("lone_push_" + System.nanoTime())
                .migrate();
        Vertx vertx = Vertx.vertx();
        try (ServerProcess server = ServerProcess.start(postgres.environment()).awaitReady();
                Socket socket =
                        new Socket(server.uri("/").getHost(), server.uri("/").getPort())) {
            socket.setTcpNoDelay(true);
            PgConnection connection = get(PgConnection.connect(vertx, postgres.connectOptions()));
            get(connection
                    .query("create table public.bare (like queen.messages including defaults)")
                    .execute());
            get(connection
                    .query("alter table public.bare add primary key (partition_id, seq)")
                    .execute());
            get(connection
                    .query("alter table public.bare add unique (partition_id, transaction_id)")
                    .execute());
            PreparedQuery<RowSet<Row>> insert = connection.preparedQuery(INSERT);
            for (int round = 0; round <= ROUNDS; round++) {
                double push = pushes(socket);
                double bare = inserts(vertx, insert);
                System.out.printf(
                        "%s: p50 of a push %.0f us, of a bare INSERT %.0f us, ratio %.2f%n",
                        round == 0 ? "warm-up" : "round " + round, push, bare, push / bare);
            }
        } finally {
            vertx.close();
        }
    }

    private static double pushes(Socket socket) throws IOException {
        byte[] request = REQUEST.getBytes(StandardCharsets.US_ASCII);
        OutputStream out = socket.getOutputStream();
        DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        long[] nanos = new long[EACH];
        for (int i = 0; i < EACH; i++) {
            long start = System.nanoTime();
            out.write(request);
            read(in);
            nanos[i] = System.nanoTime() - start;
        }
        return median(nanos);
    }

    private static void read(DataInputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        if (!head.toString().startsWith("HTTP/1.1 201")) {
            throw new IOException(head.toString());
        }
        int length = head.indexOf("content-length: ") + "content-length: ".length();
        in.readFully(new byte[Integer.parseInt(head.substring(length, head.indexOf("\r\n", length)))]);
    }

    /** Timed on the event loop, where the server stands when it waits for PostgreSQL. */
    private double inserts(Vertx vertx, PreparedQuery<RowSet<Row>> insert) throws Exception {
        Promise<long[]> done = Promise.promise();
        vertx.runOnContext(ignored -> insert(insert, new long[EACH], 0, done));
        return median(get(done.future()));
    }

    private void insert(PreparedQuery<RowSet<Row>> insert, long[] nanos, int number, Promise<long[]> done) {
        if (number == nanos.length) {
            done.complete(nanos);
            return;
        }
        UUID id = UUID.randomUUID();
        long start = System.nanoTime();
        insert.execute(Tuple.of(id, ++seq, id, id.toString(), BODY))
                .onSuccess(rows -> {
                    nanos[number] = System.nanoTime() - start;
                    insert(insert, nanos, number + 1, done);
                })
                .onFailure(done::fail);
    }

    private static double median(long[] nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2] / 1000.0;
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
