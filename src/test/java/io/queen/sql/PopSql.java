package io.queen.sql;

import io.queen.embedded.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** The functions of a pop as SQL sees them, on one connection. */
public final class PopSql implements AutoCloseable {
    static final String GROUP = "g";

    private static final TestPostgres POSTGRES = TestPostgres.shared().migrate();

    final Connection connection;

    public PopSql() {
        try {
            connection = POSTGRES.connect();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public record Outcome(
            String outcome, Long first, Long last, Long dueMillis, UUID leaseId, int retryCount, boolean more) {}

    /** One request of a lease call, with its candidates. */
    public record Wish(
            String group, int batch, int partitions, UUID leaseId, boolean autoAck, OffsetDateTime start, UUID... ids) {
        static Wish of(int batch, UUID... ids) {
            return new Wish(GROUP, batch, ids.length, UUID.randomUUID(), false, null, ids);
        }

        Wish group(String name) {
            return new Wish(name, batch, partitions, leaseId, autoAck, start, ids);
        }

        Wish partitions(int count) {
            return new Wish(group, batch, count, leaseId, autoAck, start, ids);
        }

        Wish autoAcked() {
            return new Wish(group, batch, partitions, leaseId, true, start, ids);
        }

        Wish from(OffsetDateTime time) {
            return new Wish(group, batch, partitions, leaseId, autoAck, time, ids);
        }
    }

    /** A queue of its own with these settings, as columns of its row. */
    public String queue(String settings) throws SQLException {
        String name = "sql-" + UUID.randomUUID();
        run("insert into queen.queues (name) values (?)", name);
        if (!settings.isEmpty()) {
            run("update queen.queues set " + settings + " where name = ?", name);
        }
        return name;
    }

    /** Pushes messages, the transaction ids from 1 on, and gives the id of the partition. */
    public UUID push(String queue, String partition, int count) throws SQLException {
        run(
                "select queen.push_messages_v2((select jsonb_agg(jsonb_build_object('queue', ?::text, 'partition', ?::text,"
                        + " 'payload', n, 'transactionId', gen_random_uuid()::text) order by n)"
                        + " from generate_series(1, ?) n))",
                queue,
                partition,
                count);
        return (UUID) one(
                "select p.id from queen.partitions p join queen.queues q on q.id = p.queue_id"
                        + " where q.name = ? and p.name = ?",
                queue,
                partition);
    }

    public List<Outcome> lease(boolean again, Wish... wishes) throws SQLException {
        List<Integer> requests = new ArrayList<>();
        List<UUID> ids = new ArrayList<>();
        List<Wish> owners = new ArrayList<>();
        for (int i = 0; i < wishes.length; i++) {
            ids.addAll(List.of(wishes[i].ids()));
            requests.addAll(Collections.nCopies(wishes[i].ids().length, i));
            owners.addAll(Collections.nCopies(wishes[i].ids().length, wishes[i]));
        }
        String sql = "select outcome, first_seq, last_seq, due_ms, lease_id, retry_count, more"
                + " from queen.pop_sm_lease(?, ?, ?, ?, ?, ?, ?, ?, ?)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setArray(1, connection.createArrayOf("integer", requests.toArray()));
            statement.setArray(2, connection.createArrayOf("uuid", ids.toArray()));
            statement.setArray(3, array("text", owners.stream().map(Wish::group)));
            statement.setArray(4, array("integer", owners.stream().map(Wish::batch)));
            statement.setArray(5, array("integer", owners.stream().map(Wish::partitions)));
            statement.setArray(6, array("uuid", owners.stream().map(Wish::leaseId)));
            statement.setArray(7, array("boolean", owners.stream().map(Wish::autoAck)));
            statement.setArray(8, array("timestamptz", owners.stream().map(Wish::start)));
            statement.setBoolean(9, again);
            return outcomes(statement);
        }
    }

    public Outcome lease(Wish wish) throws SQLException {
        return lease(false, wish).get(0);
    }

    private java.sql.Array array(String type, java.util.stream.Stream<?> values) throws SQLException {
        return connection.createArrayOf(type, values.toArray());
    }

    private static List<Outcome> outcomes(PreparedStatement statement) throws SQLException {
        List<Outcome> outcomes = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                outcomes.add(new Outcome(
                        rows.getString(1),
                        rows.getObject(2, Long.class),
                        rows.getObject(3, Long.class),
                        rows.getObject(4, Long.class),
                        rows.getObject(5, UUID.class),
                        rows.getInt(6),
                        rows.getBoolean(7)));
            }
        }
        return outcomes;
    }

    public boolean release(UUID partition, UUID lease, Long cursor) throws SQLException {
        return (Boolean) one(
                "select queen.pop_sm_release(array[?::uuid], array[?::text], array[?::uuid], array[?::bigint])",
                partition,
                GROUP,
                lease,
                cursor);
    }

    public long cursor(UUID partition, String group) throws SQLException {
        return (Long) one(
                "select cursor from queen.partition_consumers where partition_id = ? and consumer_group = ?",
                partition,
                group);
    }

    public void expireLease(UUID partition) throws SQLException {
        run(
                "update queen.partition_consumers set lease_expires_at = now() - interval '1 s' where partition_id = ?",
                partition);
    }

    /** The time of a message becomes this; with the last one the partition's last push too. */
    public void date(UUID partition, long seq, String interval) throws SQLException {
        run(
                "update queen.messages set created_at = now() - ?::interval where partition_id = ? and seq = ?",
                interval,
                partition,
                seq);
        run(
                "update queen.partitions set last_push_at = (select max(created_at) from queen.messages"
                        + " where partition_id = partitions.id) where id = ?",
                partition);
    }

    public void delete(UUID partition, long from, long to) throws SQLException {
        run("delete from queen.messages where partition_id = ? and seq between ? and ?", partition, from, to);
    }

    public void run(String sql, Object... arguments) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, arguments);
            statement.execute();
        }
    }

    public Object one(String sql, Object... arguments) throws SQLException {
        return column(sql, arguments).get(0);
    }

    /** The first column of all rows. */
    public List<Object> column(String sql, Object... arguments) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, arguments);
            List<Object> values = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    values.add(rows.getObject(1));
                }
            }
            return values;
        }
    }

    private static void set(PreparedStatement statement, Object... arguments) throws SQLException {
        for (int i = 0; i < arguments.length; i++) {
            statement.setObject(i + 1, arguments[i]);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
