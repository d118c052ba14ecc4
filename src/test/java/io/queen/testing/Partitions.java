package io.queen.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Partitions with messages and leases, arranged by SQL. Names are new for each call. */
public final class Partitions {
    private final Sql sql;

    public Partitions(Sql sql) {
        this.sql = sql;
    }

    /** A name that no other test has. */
    public static String name(String stem) {
        return stem + "-" + UUID.randomUUID();
    }

    /** A queue of that retry limit with one partition, holding messages m1, m2 … */
    public UUID filled(int retryLimit, int messages) {
        String queue = name("filled");
        sql.run("insert into queen.queues (name, retry_limit) values (?, ?)", queue, retryLimit);
        return push(queue, "Default", messages);
    }

    /** Pushes m1, m2 … and gives the id of the partition. */
    public UUID push(String queue, String partition, int messages) {
        List<String> items = new ArrayList<>();
        for (int i = 1; i <= messages; i++) {
            items.add("{\"queue\":\"%s\",\"partition\":\"%s\",\"transactionId\":\"m%d\",\"payload\":%d}"
                    .formatted(queue, partition, i, i));
        }
        sql.run("select queen.push_messages_v2(?::jsonb)", "[" + String.join(",", items) + "]");
        return id(queue, partition);
    }

    public UUID id(String queue, String partition) {
        return (UUID) sql.value(
                "select p.id from queen.partitions p join queen.queues q on q.id = p.queue_id"
                        + " where q.name = ? and p.name = ?",
                queue,
                partition);
    }

    /** The name of the queue that the partition is of. */
    public String queue(UUID partition) {
        return (String) sql.value(
                "select q.name from queen.queues q join queen.partitions p on p.queue_id = q.id where p.id = ?",
                partition);
    }

    /** A lease of the group over everything after its cursor up to {@code lastSeq}, as a pop would take it. */
    public UUID lease(UUID partition, String group, long lastSeq) {
        return lease(partition, group, lastSeq, 60);
    }

    public UUID lease(UUID partition, String group, long lastSeq, int seconds) {
        UUID lease = (UUID) sql.value("select queen.lease_id_for(?, ?)", UUID.randomUUID(), partition);
        hold(partition, group, lease, lastSeq, seconds);
        return lease;
    }

    /** Puts the lease on the partition, whatever lease was there. */
    public void hold(UUID partition, String group, UUID lease, long lastSeq, int seconds) {
        sql.run(
                "insert into queen.partition_consumers as c"
                        + " (partition_id, consumer_group, lease_id, lease_last_seq, lease_expires_at)"
                        + " values (?, ?, ?, ?, now() + make_interval(secs => ?))"
                        + " on conflict (partition_id, consumer_group) do update set lease_id = excluded.lease_id,"
                        + " lease_last_seq = excluded.lease_last_seq, lease_expires_at = excluded.lease_expires_at",
                partition,
                group,
                lease,
                lastSeq,
                seconds);
    }

    /** The cursor row of the group. */
    public Map<String, Object> consumer(UUID partition, String group) {
        return sql.row(
                "select * from queen.partition_consumers where partition_id = ? and consumer_group = ?",
                partition,
                group);
    }

    public long cursor(UUID partition, String group) {
        return ((Number) consumer(partition, group).get("cursor")).longValue();
    }

    public List<String> deadLetters(UUID partition, String group) {
        return sql
                .rows(
                        "select transaction_id from queen.dead_letters"
                                + " where partition_id = ? and consumer_group = ? order by seq",
                        partition,
                        group)
                .stream()
                .map(row -> (String) row.get("transaction_id"))
                .toList();
    }
}
