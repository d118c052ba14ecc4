package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The typed way of the server: what {@link PushMessagesTest} does not reach. */
@AlsoOnInstalledPostgres
class PushListTest {
    private static final String PUSH =
            "select * from queen.push_list_v1(array[?]::uuid[], array[1], array[1], array[1],"
                    + " array[?]::text[], array[?]::uuid[], array['1'], null, null, null, null, null)";

    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);

    @Test
    void push_partitionGone_saysMissingAndStoresNothing() {
        UUID gone = UUID.randomUUID();
        assertThat(push(gone, "a", UUID.randomUUID()).get("missing")).isEqualTo(true);
        assertThat(sql.number("select count(*) from queen.messages where partition_id = ?", gone))
                .isZero();
    }

    @Test
    void push_oneOfTwoPartitionsGone_saysMissingAndStoresNothing() {
        UUID there = partitions.filled(3, 1);
        Map<String, Object> answer = sql.row(
                "with lane as (select array_agg(id order by id) as ids from unnest(array[?, ?]::uuid[]) id)"
                        + " select p.* from lane, queen.push_list_v1(lane.ids, array[1, 1], array[1, 2], array[1, 1],"
                        + " array['x', 'y'], array[?, ?]::uuid[], array['1', '2'], null, null, null, null, null) p",
                there,
                UUID.randomUUID(),
                UUID.randomUUID(),
                UUID.randomUUID());
        assertThat(answer.get("missing")).isEqualTo(true);
        assertThat(sql.number("select head from queen.partitions where id = ?", there))
                .isEqualTo(1);
    }

    @Test
    void push_sentAgain_findsItsOwnId() {
        UUID partition = partitions.filled(3, 1);
        UUID id = UUID.randomUUID();
        assertThat(push(partition, "a", id).get("dup_ids")).isNull();
        assertThat(push(partition, "a", id).get("dup_ids")).hasToString("{" + id + "}");
        assertThat(sql.number("select head from queen.partitions where id = ?", partition))
                .isEqualTo(2);
    }

    @Test
    void push_someStoredBefore_storesTheOthersWithoutGaps() {
        UUID one = partitions.filled(3, 1);
        UUID other = partitions.filled(3, 1);
        boolean ascending = one.toString().compareTo(other.toString()) < 0;
        UUID first = ascending ? one : other;
        UUID second = ascending ? other : one;
        push(first, "x2", UUID.randomUUID());
        push(second, "y1", UUID.randomUUID());
        Map<String, Object> answer = sql.row(
                "select * from queen.push_list_v1(array[?, ?]::uuid[], array[3, 2], array[1, 2, 1, 2, 1],"
                        + " array[1, 1, 2, 2, 3], array['x1', 'y1', 'x2', 'y2', 'x3'],"
                        + " array(select gen_random_uuid() from generate_series(1, 5)),"
                        + " array['1', '2', '3', '4', '5'], null, null, null, null, null)",
                first,
                second);
        assertThat(answer.get("dup_ords")).hasToString("{2,3}");
        assertThat(stored(first)).isEqualTo("2 x2, 3 x1, 4 x3");
        assertThat(stored(second)).isEqualTo("2 y1, 3 y2");
        assertThat(sql.number("select sum(head) from queen.partitions where id in (?, ?)", first, second))
                .isEqualTo(4 + 3);
    }

    /** What came after the first message, with its sequence numbers. */
    private Object stored(UUID partition) {
        return sql.row(
                        "select string_agg(seq || ' ' || transaction_id, ', ' order by seq) as all from queen.messages"
                                + " where partition_id = ? and seq > 1",
                        partition)
                .get("all");
    }

    @Test
    void push_optionalArraysGiven_areStored() {
        UUID partition = partitions.filled(3, 1);
        UUID trace = UUID.randomUUID();
        sql.run(
                "select queen.push_list_v1(array[?]::uuid[], array[1], array[1], array[1], array['t'], array[?]::uuid[],"
                        + " array['{\"b\":1,  \"a\":1.0}'], array[?]::uuid[], array[true], array['me'],"
                        + " array['{\"h\":\"1\"}'], array['2031-01-01Z'::timestamptz])",
                partition,
                UUID.randomUUID(),
                trace);
        Map<String, Object> stored = sql.row(
                "select trace_id, is_encrypted, producer_sub, payload, headers, deliver_at = '2031-01-01Z' from queen.messages"
                        + " where partition_id = ? and transaction_id = 't'",
                partition);
        assertThat(stored.values()).containsExactly(trace, true, "me", "{\"b\":1,  \"a\":1.0}", "{\"h\":\"1\"}", true);
    }

    @Test
    void push_stored_isNotedInThePushLogOfItsTransaction() {
        UUID partition = partitions.filled(3, 1);
        sql.begin();
        push(partition, "a", UUID.randomUUID());
        assertThat(sql.number(
                        "select count(*) from queen.push_log where xid = pg_current_xact_id() and ? = any (partition_ids)",
                        partition))
                .isEqualTo(1);
        sql.commit();
    }

    private Map<String, Object> push(UUID partition, String transactionId, UUID messageId) {
        return sql.row(PUSH, partition, transactionId, messageId);
    }
}
