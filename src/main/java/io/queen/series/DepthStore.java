package io.queen.series;

import io.queen.database.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.inject.Singleton;
import java.util.List;

/** How many messages wait, for which group, and for how long already. */
@Singleton
final class DepthStore {
    /**
     * All partitions of all queues with all groups of each queue, as far as something waits. A group that has not come to
     * a partition yet lacks all that is in it.
     */
    private static final String LAGS = """
            with gap as (
                select g.queue_id, g.consumer_group, p.id, p.head, p.removed,
                       greatest(coalesce(c.cursor, 0), p.tail) as cursor
                from (select distinct p.queue_id, c.consumer_group
                      from queen.partition_consumers c join queen.partitions p on p.id = c.partition_id) g
                join queen.partitions p on p.queue_id = g.queue_id
                left join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = g.consumer_group
                where p.head > greatest(coalesce(c.cursor, 0), p.tail)
            ), lag as (
                select g.queue_id, g.consumer_group, sum(least(g.head - g.cursor, g.head - g.removed)) as messages,
                       extract(epoch from now() - min(m.created_at)) as seconds
                from gap g
                left join lateral (
                    select greatest(m.created_at, m.deliver_at) as created_at from queen.messages m
                    where m.partition_id = g.id and m.seq > g.cursor order by m.seq limit 1) m on true
                group by g.queue_id, g.consumer_group
            ), member as (
                select distinct p.queue_id, c.consumer_group
                from queen.partition_consumers c join queen.partitions p on p.id = c.partition_id
            ), depth as (
                select p.queue_id, sum(least(p.head - greatest(coalesce(s.slowest, 0), p.tail), p.head - p.removed)) as messages
                from queen.partitions p
                left join (select c.partition_id, min(c.cursor) as slowest
                           from queen.partition_consumers c group by c.partition_id) s on s.partition_id = p.id
                group by p.queue_id
            ), dead as (
                select p.queue_id, count(*) as letters
                from queen.dead_letters d join queen.partitions p on p.id = d.partition_id
                group by p.queue_id
            ), top as (
                select q.id, q.name, coalesce(d.messages, 0)::bigint as depth, coalesce(l.letters, 0) as letters
                from queen.queues q
                left join depth d on d.queue_id = q.id
                left join dead l on l.queue_id = q.id
                order by 3 desc, q.name
                limit $1
            )
            select t.name, t.depth, t.letters, m.consumer_group, coalesce(l.messages, 0)::bigint,
                   coalesce(greatest(l.seconds, 0), 0)::float8
            from top t
            left join member m on m.queue_id = t.id
            left join lag l on l.queue_id = t.id and l.consumer_group = m.consumer_group
            order by t.name, m.consumer_group
            """;

    private final Database database;

    DepthStore(Database database) {
        this.database = database;
    }

    /**
     * One group of one queue.
     *
     * @param depth messages that the slowest group has not consumed; all, when there is no group
     * @param group null for a queue without groups
     * @param seconds the age of the oldest message that the group has not consumed; 0 for none
     */
    record Lag(String queue, long depth, long deadLetters, String group, long messages, double seconds) {
        private static Lag of(Row row) {
            return new Lag(
                    row.getString(0),
                    row.getLong(1),
                    row.getLong(2),
                    row.getString(3),
                    row.getLong(4),
                    row.getDouble(5));
        }
    }

    /** The lags of all groups of the deepest queues. */
    Uni<List<Lag>> lags(int queues) {
        return database.list(LAGS, Lag::of, queues);
    }
}
