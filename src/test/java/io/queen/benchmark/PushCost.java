package io.queen.benchmark;

import io.queen.embedded.TestPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/**
 * What a list of 100 pushes to 100 partitions costs PostgreSQL, against a bare INSERT of the same rows into a table with
 * the same two indexes: CPU of the backend, both in one session, round by round in turn. The bar is 2.
 */
final class PushCost {
    private static final int LANES = 100;
    private static final int CALLS = 200;
    private static final int ROUNDS = 12;
    private static final String PUSH =
            "select * from queen.push_list_v1(?::uuid[], ?::int[], ?::int[], ?::int[], ?::text[], ?::uuid[], ?::text[],"
                    + " ?::uuid[], ?::boolean[], ?::text[], null, null)";
    private static final String BARE = "insert into public.bare"
            + " (partition_id, seq, id, trace_id, created_at, is_encrypted, transaction_id, producer_sub, payload)"
            + " select i.lane, ?, i.id, i.trace_id, clock_timestamp(), coalesce(i.encrypted, false), i.tx, i.sub, i.payload"
            + " from unnest(?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::uuid[], ?::boolean[], ?::text[])"
            + " i (lane, tx, id, payload, trace_id, encrypted, sub)";

    private final Connection connection;
    private final UUID[] lanes;
    private final Integer[] ones = new Integer[LANES];
    private final Integer[] numbers = new Integer[LANES];
    private final String[] payloads = new String[LANES];
    private long seq;

    private PushCost(Connection connection) throws SQLException {
        this.connection = connection;
        this.lanes = lanes();
        Arrays.fill(ones, 1);
        Arrays.fill(payloads, "{\"n\":" + "1234567890".repeat(10) + "}");
        Arrays.setAll(numbers, i -> i + 1);
    }

    public static void main(String[] arguments) throws SQLException {
        TestPostgres.shared().migrate();
        try (Connection connection = TestPostgres.shared().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set search_path to queen");
            statement.execute("create table public.bare (like queen.messages including defaults)");
            statement.execute("alter table public.bare add primary key (partition_id, seq)");
            statement.execute("alter table public.bare add unique (partition_id, transaction_id)");
            new PushCost(connection).run();
        }
    }

    private void run() throws SQLException {
        round(true);
        round(false);
        List<Double> ratios = new ArrayList<>();
        double pushed = 0;
        double bare = 0;
        for (int i = 0; i < ROUNDS; i++) {
            double push = round(true);
            double insert = round(false);
            pushed += push;
            bare += insert;
            ratios.add(push / insert);
        }
        Collections.sort(ratios);
        System.out.printf(
                "push_list_v1 %.1f us/message, bare INSERT %.1f us/message, ratio %.2f; per round %.2f … median %.2f … %.2f%n",
                pushed / ROUNDS,
                bare / ROUNDS,
                pushed / bare,
                ratios.get(0),
                ratios.get(ROUNDS / 2),
                ratios.get(ROUNDS - 1));
    }

    /** CPU in microseconds for each message. */
    private double round(boolean push) throws SQLException {
        long before = ticks();
        for (int i = 0; i < CALLS; i++) {
            if (push) {
                push();
            } else {
                bare();
            }
        }
        return (ticks() - before) * 10_000.0 / (CALLS * LANES);
    }

    private void push() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(PUSH)) {
            set(statement, 1, "uuid", lanes);
            set(statement, 2, "int4", ones);
            set(statement, 3, "int4", numbers);
            set(statement, 4, "int4", ones);
            set(statement, 5, "text", transactionIds());
            set(statement, 6, "uuid", messageIds());
            set(statement, 7, "text", payloads);
            set(statement, 8, "uuid", new UUID[LANES]);
            set(statement, 9, "bool", falses());
            set(statement, 10, "text", new String[LANES]);
            statement.execute();
        }
    }

    private void bare() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(BARE)) {
            statement.setLong(1, ++seq);
            set(statement, 2, "uuid", lanes);
            set(statement, 3, "text", transactionIds());
            set(statement, 4, "uuid", messageIds());
            set(statement, 5, "text", payloads);
            set(statement, 6, "uuid", new UUID[LANES]);
            set(statement, 7, "bool", falses());
            set(statement, 8, "text", new String[LANES]);
            statement.execute();
        }
    }

    private void set(PreparedStatement statement, int place, String type, Object[] values) throws SQLException {
        statement.setArray(place, connection.createArrayOf(type, values));
    }

    private static String[] transactionIds() {
        String[] ids = new String[LANES];
        Arrays.setAll(ids, i -> UUID.randomUUID().toString());
        return ids;
    }

    private static UUID[] messageIds() {
        UUID[] ids = new UUID[LANES];
        Arrays.setAll(ids, i -> UUID.randomUUID());
        return ids;
    }

    private static Boolean[] falses() {
        Boolean[] values = new Boolean[LANES];
        Arrays.fill(values, false);
        return values;
    }

    private UUID[] lanes() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select array_agg(id order by id) from"
                        + " unnest(queen.resolve_partitions_v1(array_fill('cost'::text, array[" + LANES + "]),"
                        + " (select array_agg(i::text) from generate_series(1, " + LANES + ") i))) id")) {
            found.next();
            return (UUID[]) found.getArray(1).getArray();
        }
    }

    /** utime and stime of the backend, in hundredths of a second. */
    private long ticks() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select pg_read_file('/proc/self/stat')")) {
            found.next();
            String stat = found.getString(1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        }
    }
}
