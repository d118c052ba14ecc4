package io.queen.series;

import io.queen.testing.Sql;
import io.vertx.core.json.JsonObject;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Buckets of a time far away, in which no server writes and from which none is removed. */
public final class SeriesSql {
    /** A midnight of its own for every test. */
    final OffsetDateTime day = OffsetDateTime.of(2100, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC)
            .plusDays(ThreadLocalRandom.current().nextInt(1_000_000));

    final String queue = "series." + UUID.randomUUID();

    /** A minute of the day in which the server handled so many messages of the queue, and nothing else. */
    public void bucket(int minute, String server, int pushed, int popped) {
        JsonObject metrics = new JsonObject()
                .put("hostname", server)
                .put("port", 6632)
                .put("pushRequests", 1)
                .put("pushMessages", pushed)
                .put("popRequests", 1)
                .put("popMessages", popped)
                .put("popEmpty", 2)
                .put("ackRequests", 1)
                .put("ackMessages", popped)
                .put("ackSuccess", popped)
                .put("ackFailed", 0)
                .put("dlqCount", 0)
                .put("transactions", 0)
                .put("lagSumMs", 10L * popped)
                .put("maxLagMs", 25)
                .put("partitionsDeleted", 0)
                .put("parkedCount", 3);
        write(minute, server, queue, metrics);
        write(
                minute,
                server,
                "",
                metrics.copy().put("jobsDone", 3).put("dbErrors", 1).put("samples", samples()));
    }

    private static JsonObject samples() {
        JsonObject range = new JsonObject()
                .put("count", 60)
                .put("avg", 2.0)
                .put("min", 1.0)
                .put("max", 4.0)
                .put("last", 3.0);
        JsonObject samples = new JsonObject();
        for (String name : new String[] {"cpuUser", "rssBytes", "poolSize", "eventLoopLagMs", "freeSlots", "parked"}) {
            samples.put(name, range);
        }
        return samples;
    }

    private void write(int minute, String server, String name, JsonObject metrics) {
        try (Sql sql = Sql.open()) {
            sql.run(
                    "insert into queen.metric_buckets (bucket, server_id, queue_name, metrics) values (?, ?, ?, ?::jsonb)",
                    day.plusMinutes(minute),
                    server,
                    name,
                    metrics.encode());
        }
    }

    /** The time as the protocol writes points. */
    public String at(int minute) {
        return day.plusMinutes(minute).toString().replace("Z", ":00Z");
    }
}
