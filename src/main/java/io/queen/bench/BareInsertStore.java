package io.queen.bench;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows like those of messages, with their two unique indexes, inserted over the driver of the server and nothing else: the
 * floor under what a push can cost. The table is made for it and dropped at the end.
 */
final class BareInsertStore implements AutoCloseable {
    private final String table = "queen_bench_" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
    private final AtomicLong seq = new AtomicLong();
    private final List<PgConnection> connections;
    private final List<UUID> partitions;
    private final int rows;
    private final String payload;

    /** Connects and makes the table. All the rows of one insert go to one of the partitions. */
    BareInsertStore(BenchServer server, int rows) {
        Settings settings = server.settings();
        this.rows = rows;
        this.payload = server.requests().payload(0);
        this.partitions = Stream.generate(UUID::randomUUID)
                .limit(settings.partitionsOrDefault())
                .toList();
        this.connections = Stream.generate(server.database()::connect)
                .limit(settings.connections)
                .toList();
        run("create table %s (partition_id uuid not null, seq bigint not null, id uuid not null, created_at"
                + " timestamptz not null, transaction_id text not null, payload text not null,"
                + " primary key (partition_id, seq), unique (partition_id, transaction_id))");
    }

    private void run(String sql) {
        DatabaseFiguresStore.await(
                connections.get(0).query(sql.formatted(table)).execute());
    }

    /** One insert and its commit, on that connection; answered on the connection's event loop. */
    Future<Void> insert(int connection) {
        UUID partition = partitions.get(ThreadLocalRandom.current().nextInt(partitions.size()));
        PgConnection on = connections.get(connection);
        return (rows == 1 ? insertOne(on, partition) : insertMany(on, partition)).mapEmpty();
    }

    private Future<RowSet<Row>> insertOne(PgConnection connection, UUID partition) {
        UUID id = UUID.randomUUID();
        return connection
                .preparedQuery("insert into " + table + " values ($1, $2, $3, now(), $4, $5)")
                .execute(Tuple.of(partition, seq.incrementAndGet(), id, id.toString(), payload));
    }

    private Future<RowSet<Row>> insertMany(PgConnection connection, UUID partition) {
        long first = seq.getAndAdd(rows) + 1;
        UUID[] ids = Stream.generate(UUID::randomUUID).limit(rows).toArray(UUID[]::new);
        return connection
                .preparedQuery("insert into " + table
                        + " select $1, m.seq, m.id, now(), m.transaction_id, m.payload"
                        + " from unnest($2::bigint[], $3::uuid[], $4::text[], $5::text[])"
                        + " m (seq, id, transaction_id, payload)")
                .execute(Tuple.of(
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
            DatabaseFiguresStore.await(
                    Future.join(connections.stream().map(PgConnection::close).toList())
                            .otherwiseEmpty());
        }
    }
}
