package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Sql;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rule of an ack as a table ({@code ack_verdict_v1}). A partition has three messages, and the group has passed the
 * first; the two others were delivered under a lease, or one of them ({@code short}), or the lease has expired, or there is
 * none ({@code free}). Of the retries some are {@code left}, none ({@code out}), or there were never any ({@code off}).
 */
@AlsoOnInstalledPostgres
class AckRuleTest {
    private static Sql sql;

    @BeforeAll
    static void open() {
        sql = Sql.openMigrated();
    }

    @AfterAll
    static void close() {
        sql.close();
    }

    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
            status    | lease   | names | retries | message |  accepted | dlq   | released | cursor | failures
            completed | live    | it    | left    | 1       |  true     | false | false    | 1      | 1
            completed | live    | it    | left    | 2       |  true     | false | false    | 2      | 1
            completed | live    | it    | left    | 3       |  true     | false | true     | 3      | 0
            completed | live    | none  | left    | 2       |  true     | false | false    | 2      | 1
            completed | live    | other | left    | 2       |  false    | false | false    | 1      | 1
            completed | live    | other | left    | 1       |  false    | false | false    | 1      | 1
            completed | expired | it    | left    | 2       |  false    | false | false    | 1      | 1
            completed | expired | none  | left    | 2       |  true     | false | false    | 2      | 1
            completed | short   | it    | left    | 3       |  false    | false | false    | 1      | 1
            completed | short   | it    | left    | 2       |  true     | false | true     | 2      | 0
            completed | free    | none  | left    | 2       |  true     | false | true     | 2      | 0
            completed | free    | other | left    | 2       |  false    | false | true     | 1      | 1
            failed    | live    | it    | left    | 1       |  true     | false | false    | 1      | 1
            failed    | live    | it    | left    | 2       |  true     | false | true     | 1      | 2
            failed    | live    | it    | left    | 3       |  true     | false | true     | 1      | 2
            failed    | live    | it    | out     | 2       |  true     | true  | false    | 2      | 0
            failed    | live    | it    | out     | 3       |  true     | true  | true     | 3      | 0
            failed    | live    | it    | off     | 2       |  true     | true  | false    | 2      | 0
            failed    | live    | none  | left    | 2       |  true     | false | true     | 1      | 2
            failed    | live    | other | out     | 2       |  false    | false | false    | 1      | 3
            failed    | expired | it    | left    | 2       |  false    | false | false    | 1      | 1
            failed    | free    | none  | left    | 2       |  true     | false | true     | 1      | 1
            failed    | free    | none  | out     | 2       |  true     | true  | true     | 2      | 0
            retry     | live    | it    | left    | 2       |  true     | false | true     | 1      | 1
            retry     | live    | it    | out     | 2       |  true     | false | true     | 1      | 3
            retry     | live    | it    | off     | 2       |  true     | false | true     | 1      | 0
            retry     | live    | other | left    | 2       |  false    | false | false    | 1      | 1
            dlq       | live    | it    | left    | 1       |  true     | false | false    | 1      | 1
            dlq       | live    | it    | left    | 2       |  true     | true  | false    | 2      | 0
            dlq       | live    | it    | left    | 3       |  true     | true  | true     | 3      | 0
            dlq       | short   | it    | left    | 3       |  false    | false | false    | 1      | 1
            """)
    void ack_ofAMessage_doesWhatTheRuleSays(
            String status,
            String lease,
            String names,
            String retries,
            int message,
            boolean accepted,
            boolean dlq,
            boolean released,
            long cursor,
            int failures) {
        UUID held = UUID.randomUUID();
        UUID partition = partition(lease, held, retries);
        UUID named = names.equals("none") ? null : names.equals("it") ? held : UUID.randomUUID();

        Map<String, Object> outcome = new AckList(sql)
                .ack(partition, "g", named, "t" + message, status)
                .apply()
                .get(0);

        assertThat(outcome.get("error") == null).as("accepted").isEqualTo(accepted);
        assertThat(outcome.get("dlq")).as("dlq").isEqualTo(dlq);
        assertThat(outcome.get("lease_released")).as("released").isEqualTo(released);
        Map<String, Object> row = sql.row(
                "select cursor, retry_count, lease_id is null as free, (select count(*) from queen.dead_letters d"
                        + " where d.partition_id = c.partition_id) as dead from queen.partition_consumers c"
                        + " where partition_id = ?",
                partition);
        assertThat(row)
                .isEqualTo(Map.of("cursor", cursor, "retry_count", failures, "free", released, "dead", dlq ? 1L : 0L));
    }

    private static UUID partition(String lease, UUID held, String retries) {
        String queue = "ack-rule-" + UUID.randomUUID();
        sql.run(
                "select queen.push_messages_v2((select jsonb_agg(jsonb_build_object('queue', ?::text, 'transactionId',"
                        + " 't' || n) order by n) from generate_series(1, 3) n))",
                queue);
        sql.run("update queen.queues set retry_limit = ? where name = ?", retries.equals("off") ? 0 : 3, queue);
        UUID partition = (UUID) sql.value(
                "select p.id from queen.partitions p join queen.queues q on q.id = p.queue_id where q.name = ?", queue);
        sql.run(
                "insert into queen.partition_consumers (partition_id, consumer_group, cursor, retry_count, lease_id,"
                        + " lease_expires_at, lease_last_seq) values (?, 'g', 1, ?, ?, now() + ?::interval, ?)",
                partition,
                Map.of("left", 1, "out", 3, "off", 0).get(retries),
                lease.equals("free") ? null : held,
                lease.equals("free") ? null : lease.equals("expired") ? "-1 s" : "1 min",
                lease.equals("free") ? null : lease.equals("short") ? 2 : 3);
        return partition;
    }
}
