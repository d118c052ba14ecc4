package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ClearMessagesTest {
    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("cleared");

    @Test
    void clear_inPortions_goesOnWhereItStopped() {
        partitions.push(queue, "p", 5);
        partitions.push(queue, "r", 5);
        Map<String, Object> first = clear(null, null, 3);
        assertThat(first).containsEntry("deleted", 3L).containsEntry("last_upto", 5L);
        Map<String, Object> second = clear(first.get("last_partition"), first.get("last_upto"), 4);
        assertThat(second).containsEntry("deleted", 4L);
        Map<String, Object> third = clear(second.get("last_partition"), second.get("last_upto"), 10);
        assertThat(third).containsEntry("deleted", 3L);
        assertThat(clear(third.get("last_partition"), third.get("last_upto"), 10))
                .containsEntry("deleted", 0L)
                .containsEntry("last_partition", null);
    }

    @Test
    void clear_pushedBetweenPortions_stays() {
        UUID partition = partitions.push(queue, "p", 4);
        UUID lease = partitions.lease(partition, "g", 2);
        Map<String, Object> first = clear(null, null, 3);
        assertThat(partitions.consumer(partition, "g")).containsEntry("lease_id", lease);
        sql.run(
                "select queen.push_messages_v2(jsonb_build_array(jsonb_build_object('queue', ?::text, 'partition', 'p',"
                        + " 'transactionId', 'late')))",
                queue);
        clear(first.get("last_partition"), first.get("last_upto"), 10);
        assertThat(sql.text("select transaction_id from queen.messages where partition_id = ?", partition))
                .isEqualTo("late");
        assertThat(partitions.consumer(partition, "g"))
                .containsEntry("cursor", 4L)
                .containsEntry("lease_id", null);
        assertThat(sql.row("select head, tail, removed from queen.partitions where id = ?", partition))
                .isEqualTo(Map.of("head", 5L, "tail", 4L, "removed", 4L));
    }

    @Test
    void clear_unknownQueue_isNull() {
        assertThat(clear(null, null, 1)).containsEntry("deleted", null);
    }

    private Map<String, Object> clear(Object after, Object upto, int limit) {
        return sql.row(
                "select * from queen.clear_messages_v1(?, null, ?::uuid, ?::bigint, ?)", queue, after, upto, limit);
    }
}
