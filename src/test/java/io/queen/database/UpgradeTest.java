package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.embedded.TestPostgres;
import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A database of each release, with its data, becomes one of today's by this server's own migration, and goes on. The dump
 * of a release is written once, from the commit that is released, by {@code mvn test -Dtest=UpgradeTest
 * -Dschema.release=0.2.0}, and never again. Until 0.2.0 there is one of the schema on the way there, to be written anew
 * when V001 was.
 */
@AlsoOnInstalledPostgres
class UpgradeTest {
    private static final String POP = """
            select coalesce(string_agg(m ->> 'transactionId', ' ' order by n), '') as ids,
                   coalesce(jsonb_agg(m order by n), '[]')::text as messages
              from jsonb_array_elements(queen.pop_messages_v2(?, ?, ?, ?) -> 'messages') with ordinality e (m, n)
            """;

    @BeforeAll
    static void write() throws IOException {
        String release = System.getProperty("schema.release");
        if (release != null) {
            ReleaseDump.write(release);
        }
    }

    static List<Path> releases() throws IOException {
        return ReleaseDump.all();
    }

    @ParameterizedTest
    @MethodSource("releases")
    void upgrade_ofARelease_goesOn(Path dump) throws Exception {
        TestPostgres postgres = ReleaseDump.load(dump);
        try (Sql sql = Sql.open(postgres)) {
            String before = newest(sql);
            List<Map<String, Object>> functions = functions(sql);
            assertThat(migration(postgres).attempt())
                    .as(dump + " by this server's migrations; before 0.2.0, if V001 is meant to differ: mvn test"
                            + " -Dtest=UpgradeTest -Dschema.release=0.1")
                    .isEqualTo(new Migration.Outcome.Done(""));
            try (Connection connection = postgres.connect()) {
                assertThat(SchemaDump.of(connection))
                        .isEqualTo(Files.readString(Path.of("src/test/resources/schema.txt")));
            }
            goesOn(sql);
            if (!dump.endsWith("0.1.sql") && !functions.equals(functions(sql))) {
                assertThat(newest(sql))
                        .as("functions differ from those of " + dump
                                + ": without a versioned migration, servers of that release would put theirs back")
                        .isNotEqualTo(before);
            }
        }
    }

    private static void goesOn(Sql sql) {
        deliversInOrder(sql);
        keepsLeases(sql);
        keepsSubscriptionsAndLimits(sql);
        keepsWhatIsListed(sql);
        movesAndRedrives(sql);
    }

    private static void deliversInOrder(Sql sql) {
        assertThat(popAndAck(sql, "ann", "ledger", 9)).isEqualTo("ann-2");
        assertThat(popAndAck(sql, "ann", "ledger", 9)).isEqualTo("ann-5 ann-6");
        assertThat(popAndAck(sql, "ann", "ledger", 9)).isEmpty();
        assertThat(popAndAck(sql, "ann", "billing", 2)).isEqualTo("ann-1 ann-2");
        assertThat(popAndAck(sql, "cyd", "billing", 9)).isEqualTo("cyd-1 cyd-2 cyd-4 cyd-5 cyd-6");
    }

    private static void keepsLeases(Sql sql) {
        assertThat(popAndAck(sql, "bob", "billing", 9)).isEmpty();
        UUID lease = lease(sql, "bob", "billing");
        assertThat(sql.text(
                        "select (queen.renew_lease_v2(jsonb_build_array(jsonb_build_object('leaseId', ?::text,"
                                + " 'extendSeconds', 60))) #>> '{0,success}')",
                        lease))
                .isEqualTo("true");
        assertThat(sql.text(
                        "select queen.execute_transaction_v2(jsonb_build_array("
                                + " jsonb_build_object('type', 'ack', 'partitionId', p.id, 'transactionId', 'bob-2',"
                                + "     'consumerGroup', 'billing', 'leaseId', ?::text),"
                                + " jsonb_build_object('type', 'push', 'queue', 'orders', 'partition', 'bob', 'transactionId', 'bob-7')))"
                                + " ->> 'success' from queen.partitions p where p.name = 'bob'",
                        lease))
                .isEqualTo("true");
        assertThat(popAndAck(sql, "bob", "billing", 9)).isEqualTo("bob-3 bob-4 bob-5 bob-6 bob-7");
        assertThat(lease(sql, "ann", "wide")).isEqualTo(lease(sql, "cyd", "wide"));
        assertThat(sql.number(
                        "select count(*) from queen.renew_list_v1(array[?::uuid], array[60]) r where r.known"
                                + " and r.expires_at > now()",
                        lease(sql, "ann", "wide")))
                .isOne();
    }

    private static void keepsSubscriptionsAndLimits(Sql sql) {
        assertThat(popAndAck(sql, null, "late", 9)).isEqualTo("bob-7");
        assertThat(sql.text("select queen.push_messages_v2('[{\"queue\": \"limited\"}, {\"queue\": \"limited\"}]')"
                        + " -> 1 ->> 'status'"))
                .isEqualTo("failed");
        assertThat(sql.text("select queen.push_messages_v2('[{\"queue\": \"orders\", \"partition\": \"cyd\","
                        + " \"transactionId\": \"cyd-6\"}]') -> 0 ->> 'status'"))
                .isEqualTo("duplicate");
        assertThat(sql.text("select queen.pop_messages_v2('held') ->> 'paused'"))
                .isEqualTo("true");
        assertThat(sql.number("select count(*) from queen.purges")).isOne();
        sql.run("select queen.purge_messages_v1(1000)");
        assertThat(sql.number("select count(*) from queen.purges")).isZero();
    }

    private static void keepsWhatIsListed(Sql sql) {
        assertThat(sql.text("select queen.list_queues_v1(null, null, 10, 0, true)"))
                .contains("orders", "limited", "held");
        assertThat(sql.text("select queen.list_groups_v1(10, 0)")).contains("ledger", "billing", "wide", "late");
        assertThat(
                        sql.text(
                                "select queen.list_messages_v1('orders', 'ann', null, null, null, null, '-infinity', 'infinity', 10, 0, false)"))
                .contains("ann-1", "ann-6");
        assertThat(sql.text(
                        "select queen.message_traces_v1(p.id, 'bob-1') from queen.partitions p where p.name = 'bob'"))
                .contains("invoice-7");
        assertThat(sql.number("select sum(deleted_count) from queen.retention_history"))
                .isEqualTo(7);
        assertThat(sql.number("select count(*) from queen.metric_buckets")).isOne();
    }

    private static void movesAndRedrives(Sql sql) {
        assertThat(
                        sql.text(
                                "select string_agg(letter::text, '') from queen.list_dead_letters_v1('orders', null, null, null, null, 10, 0)"))
                .contains("ann-4");
        sql.run("select queen.redrive_messages_v1('orders', null, null, null, null, null, null, null, 10)");
        assertThat(popAndAck(sql, "ann", "ledger", 9)).isEqualTo("ann-4");
        sql.run("select queen.seek_group_v1('ledger', 'orders', 'beginning', null, null, 10)");
        assertThat(popAndAck(sql, "ann", "ledger", 9)).isEqualTo("ann-1 ann-2 ann-3 ann-4 ann-5 ann-6");
    }

    /** The transaction ids of what a pop of orders gives, all of it acked. */
    private static String popAndAck(Sql sql, String partition, String group, int batch) {
        Map<String, Object> popped = sql.row(POP, "orders", partition, group, batch);
        sql.run("select queen.ack_messages_v2(?::jsonb)", popped.get("messages"));
        return (String) popped.get("ids");
    }

    private static UUID lease(Sql sql, String partition, String group) {
        return (UUID) sql.value(
                "select c.lease_id from queen.partition_consumers c join queen.partitions p"
                        + " on p.id = c.partition_id where p.name = ? and c.consumer_group = ?",
                partition,
                group);
    }

    private static String newest(Sql sql) {
        return sql.text("select version from queen.flyway_schema_history where version is not null"
                + " order by installed_rank desc limit 1");
    }

    private static List<Map<String, Object>> functions(Sql sql) {
        return sql.rows("select distinct on (script) script, checksum from queen.flyway_schema_history"
                + " where version is null and type = 'SQL' order by script, installed_rank desc");
    }

    private static Migration migration(TestPostgres postgres) {
        return new Migration(
                new Login(TestConfig.defaults(), postgres.jdbcUrl(), postgres.user(), postgres.password()),
                Flyway.configure().schemas("queen").load(),
                TestConfig.defaults());
    }
}
