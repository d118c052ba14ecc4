package io.queen.sql;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Retention as SQL sees it, on a database of its own: that of the other tests has a server that removes too. */
public final class RetentionSql implements AutoCloseable {
    private static final TestPostgres POSTGRES = TestPostgres.shared().ownDatabase("retention");

    final Sql sql = Sql.open(POSTGRES);
    final Partitions partitions = new Partitions(sql);
    final String queue = Partitions.name("retention");

    private final OffsetDateTime run = OffsetDateTime.now(ZoneOffset.UTC);

    public static Sql another() {
        return Sql.open(POSTGRES);
    }

    /** A queue with these columns and a partition of so many messages, the first {@code old} of them an hour old. */
    public UUID filled(String settings, int messages, int old) {
        sql.run("insert into queen.queues (name) values (?)", queue);
        sql.run("update queen.queues set " + settings + " where name = ?", queue);
        return add("p", messages, old);
    }

    public UUID add(String partition, int messages, int old) {
        UUID id = partitions.push(queue, partition, messages);
        age(id, 1, old, "1 h");
        return id;
    }

    /** These messages become that old; with the last one the partition's last push too. */
    public void age(UUID partition, int from, int to, String interval) {
        sql.run(
                "update queen.messages set created_at = now() - ?::interval where partition_id = ? and seq between ? and ?",
                interval,
                partition,
                from,
                to);
        sql.run(
                "update queen.partitions p set last_push_at = (select max(m.created_at) from queen.messages m"
                        + " where m.partition_id = p.id) where p.id = ?",
                partition);
    }

    public void group(UUID partition, String group, long cursor) {
        sql.run(
                "insert into queen.partition_consumers (partition_id, consumer_group, cursor) values (?, ?, ?)",
                partition,
                group,
                cursor);
    }

    /** One portion over one partition; null when another session is at it. */
    public Long remove(String kind, UUID partition, int limit) {
        return (Long) portion(kind, partition, limit).get("removed");
    }

    public Long remove(String kind, UUID partition) {
        return remove(kind, partition, 1000);
    }

    public Map<String, Object> portion(String kind, UUID partition, int limit) {
        return sql.row(
                "select removed, cardinality(remaining) as remaining"
                        + " from queen.remove_expired_v1(?, ?, array[?::uuid], ?, false)",
                kind,
                run,
                partition,
                limit);
    }

    public List<Long> stored(UUID partition) {
        return sql.rows("select seq from queen.messages where partition_id = ? order by seq", partition).stream()
                .map(row -> (Long) row.get("seq"))
                .toList();
    }

    public Map<String, Object> partition(UUID id) {
        return sql.row("select head, tail, removed from queen.partitions where id = ?", id);
    }

    /** The partitions with something due, by name, all looked at in steps of that size. */
    public List<String> due(String kind, int step) {
        List<String> names = new ArrayList<>();
        String after = null;
        do {
            Map<String, Object> row = sql.row(
                    "select (select string_agg(p.name, ',' order by p.name) from queen.partitions p where p.id = any (d.ids)) as names,"
                            + " d.last_name from queen.queues q, queen.due_partitions_v1(?, q.id, ?, ?) d where q.name = ?",
                    kind,
                    after,
                    step,
                    queue);
            if (row.get("names") != null) {
                names.addAll(List.of(row.get("names").toString().split(",")));
            }
            after = (String) row.get("last_name");
        } while (after != null);
        return names;
    }

    @Override
    public void close() {
        sql.close();
    }
}
