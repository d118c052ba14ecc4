package io.queen.sql;

import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A queue with one partition, and what tests of redriven messages do to it by SQL. */
public final class Redrives {
    static final String GROUP = "g";

    final Sql sql;
    final Partitions partitions;
    final String queue = Partitions.name("redrive");
    final UUID partition;

    public Redrives(Sql sql, int messages) {
        this.sql = sql;
        this.partitions = new Partitions(sql);
        sql.run("insert into queen.queues (name, retry_limit) values (?, 1)", queue);
        this.partition = partitions.push(queue, "p", messages);
    }

    /** What a pop gave: the transaction ids, and the lease. */
    public record Popped(List<String> ids, UUID lease, int retryCount) {}

    public Popped pop(String group, int batch) {
        JsonObject answer =
                new JsonObject(sql.text("select queen.pop_messages_v2(?, null, ?, ?)::text", queue, group, batch));
        JsonArray messages = answer.getJsonArray("messages");
        List<String> ids = messages.stream()
                .map(each -> ((JsonObject) each).getString("transactionId"))
                .toList();
        String lease = answer.getString("leaseId");
        return new Popped(
                ids,
                lease == null ? null : UUID.fromString(lease),
                ids.isEmpty() ? 0 : messages.getJsonObject(0).getInteger("retryCount"));
    }

    public Popped pop() {
        return pop(GROUP, 10);
    }

    public Map<String, Object> ack(UUID lease, String message, String status) {
        return new AckList(sql)
                .ack(partition, GROUP, lease, message, status)
                .apply()
                .get(0);
    }

    /** The first messages become dead letters of the group, one by one. */
    public void fail(String... messages) {
        for (String message : messages) {
            ack(pop(GROUP, 1).lease(), message, "dlq");
        }
    }

    /** All of the queue's dead letters; how many messages went back to their groups. */
    public int redrive() {
        return sql
                .rows(
                        "select redriven from queen.redrive_messages_v1(?, null, null, null, null, null, null, null, 100)",
                        queue)
                .stream()
                .mapToInt(row -> (Integer) row.get("redriven"))
                .sum();
    }

    /** How many the group is to get again, by its row and by the table. */
    public List<Long> waiting() {
        return List.of(
                ((Number) partitions.consumer(partition, GROUP).get("redriven")).longValue(),
                sql.number(
                        "select count(*) from queen.redriven where partition_id = ? and consumer_group = ?",
                        partition,
                        GROUP));
    }

    public void expire() {
        sql.run(
                "update queen.partition_consumers set lease_expires_at = now() - interval '1 s' where partition_id = ?",
                partition);
    }

    public Object held() {
        return partitions.consumer(partition, GROUP).get("lease_id");
    }
}
