package io.queen.cost;

import com.sun.management.ThreadMXBean;
import io.queen.testing.Sql;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Reads what the database of the guard has done, and what the event loops of this JVM have allocated. Statements that come
 * by time and not by request (what was asked a while ago is asked again, what a schedule does) are not counted.
 */
final class CostMeter implements AutoCloseable {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final String SPENT = "select s.queryid, sum(s.calls)::bigint as calls,"
            + " sum(s.wal_bytes)::bigint as wal, sum(s.shared_blks_hit + s.shared_blks_read)::bigint as buffers"
            + " from public.pg_stat_statements s join pg_database d on d.oid = s.dbid"
            + " where d.datname = ? and s.queryid is not null group by s.queryid";

    private final Sql sql;
    private final String database;

    /** The session must be in another database than the one that is watched, or it would watch itself. */
    CostMeter(Sql sql, String database) {
        this.sql = sql;
        this.database = database;
        sql.run("create extension if not exists pg_stat_statements schema public");
    }

    /** One statement, over all its calls. */
    private record Spent(long calls, long walBytes, long buffers) {
        static final Spent NOTHING = new Spent(0, 0, 0);

        Spent since(Spent before) {
            return new Spent(calls - before.calls, walBytes - before.walBytes, buffers - before.buffers);
        }
    }

    /** The cost of one of so many requests. */
    Cost measure(int requests, Callable<?> request) throws Exception {
        Map<Long, Spent> before = read();
        double allocated = allocated();
        for (int i = 0; i < requests; i++) {
            request.call();
        }
        allocated = (allocated() - allocated) / requests;
        Cost cost = new Cost(0, 0, 0, allocated);
        for (Map.Entry<Long, Spent> statement : read().entrySet()) {
            Spent spent = statement.getValue().since(before.getOrDefault(statement.getKey(), Spent.NOTHING));
            cost = spent.calls < requests ? cost : plus(cost, spent, requests);
        }
        return cost;
    }

    private static Cost plus(Cost cost, Spent spent, double requests) {
        return new Cost(
                cost.statements() + Math.round(spent.calls / requests),
                cost.walBytes() + spent.walBytes / requests,
                cost.buffers() + spent.buffers / requests,
                cost.allocatedBytes());
    }

    private Map<Long, Spent> read() {
        Map<Long, Spent> statements = new HashMap<>();
        for (Map<String, Object> row : sql.rows(SPENT, database)) {
            statements.put(
                    number(row, "queryid"),
                    new Spent(number(row, "calls"), number(row, "wal"), number(row, "buffers")));
        }
        return statements;
    }

    private static long number(Map<String, Object> row, String column) {
        return ((Number) row.get(column)).longValue();
    }

    private static double allocated() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("vert.x-eventloop-thread"))
                .mapToLong(thread -> Math.max(0, THREADS.getThreadAllocatedBytes(thread.getId())))
                .sum();
    }

    @Override
    public void close() {
        sql.close();
    }
}
