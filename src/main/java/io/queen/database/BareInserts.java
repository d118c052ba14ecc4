package io.queen.database;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows like those of messages, with their two unique indexes, inserted over the driver of the server and nothing else: the
 * floor under what a push can cost, for who measures from outside. The table is made for it and dropped at the end.
 */
public final class BareInserts implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 30;

    private final Vertx vertx;
    private final List<PgConnection> connections = new ArrayList<>();
    private final List<UUID> partitions;
    private final String table;
    private final int rows;
    private final String payload;
    private final AtomicLong seq = new AtomicLong();

    private BareInserts(Vertx vertx, int partitions, int rows, String payload) {
        this.vertx = vertx;
        this.partitions = Stream.generate(UUID::randomUUID).limit(partitions).toList();
        this.table = "queen_bench_" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
        this.rows = rows;
        this.payload = payload;
    }

    /**
     * Connects and makes the table.
     *
     * @param url as for {@link DatabaseFigures#open}
     * @param rows of one insert, which all go to one of so many partitions
     * @throws IllegalArgumentException when that can't be done
     */
    public static BareInserts open(String url, int loops, int connections, int partitions, int rows, String payload) {
        // It serves no files: without these it would make a directory for copies of them.
        FileSystemOptions noFiles =
                new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops).setFileSystemOptions(noFiles));
        BareInserts inserts = new BareInserts(vertx, partitions, rows, payload);
        try {
            PgConnectOptions options =
                    PgConnectOptions.fromUri(url.replaceFirst("^jdbc:", "")).setCachePreparedStatements(true);
            for (int i = 0; i < connections; i++) {
                inserts.connections.add(await(PgConnection.connect(vertx, options)));
            }
            inserts.run("create table %s (partition_id uuid not null, seq bigint not null, id uuid not null, created_at"
                    + " timestamptz not null, transaction_id text not null, payload text not null,"
                    + " primary key (partition_id, seq), unique (partition_id, transaction_id))");
            return inserts;
        } catch (RuntimeException e) {
            vertx.close();
            throw new IllegalArgumentException(
                    e instanceof CompletionException ? e.getCause().getMessage() : e.getMessage(), e);
        }
    }

    private void run(String sql) {
        await(connections.get(0).query(sql.formatted(table)).execute());
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    public int connections() {
        return connections.size();
    }

    /** One insert and its commit, on that connection; answered on the connection's event loop. */
    public Future<Void> insert(int connection) {
        UUID partition = partitions.get(ThreadLocalRandom.current().nextInt(partitions.size()));
        PgConnection on = connections.get(connection);
        return (rows == 1 ? insertOne(on, partition) : insertMany(on, partition)).mapEmpty();
    }

    private Future<RowSet<Row>> insertOne(PgConnection connection, UUID partition) {
        PreparedQuery<RowSet<Row>> insert =
                connection.preparedQuery("insert into " + table + " values ($1, $2, $3, now(), $4, $5)");
        UUID id = UUID.randomUUID();
        return insert.execute(Tuple.of(partition, seq.incrementAndGet(), id, id.toString(), payload));
    }

    private Future<RowSet<Row>> insertMany(PgConnection connection, UUID partition) {
        PreparedQuery<RowSet<Row>> insert = connection.preparedQuery(
                "insert into " + table
                        + " select $1, m.seq, m.id, now(), m.transaction_id, m.payload"
                        + " from unnest($2::bigint[], $3::uuid[], $4::text[], $5::text[]) m (seq, id, transaction_id, payload)");
        long first = seq.getAndAdd(rows) + 1;
        UUID[] ids = Stream.generate(UUID::randomUUID).limit(rows).toArray(UUID[]::new);
        return insert.execute(Tuple.of(
                partition,
                IntStream.range(0, rows).mapToObj(i -> first + i).toArray(Long[]::new),
                ids,
                Stream.of(ids).map(UUID::toString).toArray(String[]::new),
                Collections.nCopies(rows, payload).toArray(String[]::new)));
    }

    @Override
    public void close() {
        try {
            run("drop table %s");
        } finally {
            vertx.close();
        }
    }
}
