package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.embedded.TestPostgres;
import io.queen.testing.HeldStart;
import io.queen.testing.Sql;
import java.util.concurrent.CompletableFuture;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** Attempts on databases in which something is not as a server expects it. */
class MigrationTest {
    private static final String NEWER = "insert into queen.flyway_schema_history (installed_rank, version, description,"
            + " type, script, checksum, installed_by, execution_time, success)"
            + " values (9999, '9999', 'later', 'SQL', 'V9999__later.sql', 1, 'queen', 1, true)";

    /** Stands where this server's function of that name would, and in the table of migrations as from another file. */
    private static final String OTHER_FUNCTION = """
            create or replace function queen.lease_id_for(p_fresh uuid, p_partition_id uuid) returns uuid
            language sql as 'select gen_random_uuid()';
            update queen.flyway_schema_history set checksum = 1 where script = 'R__lease.sql'
            """;

    @Test
    void attempt_sessionsCutAgainAndAgain_theNextOneSucceeds() {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("migration_cut");
        Migration migration = migration(postgres);
        try (HeldStart start = new HeldStart(() -> Sql.open(postgres))) {
            for (int i = 0; i < 4; i++) {
                CompletableFuture<Migration.Outcome> attempt = CompletableFuture.supplyAsync(migration::attempt);
                start.cut();
                assertThat(attempt.join()).isInstanceOf(Migration.Outcome.Failed.class);
            }
        }
        assertThat(migration.attempt()).isEqualTo(new Migration.Outcome.Done(""));
        assertThat(sessions(postgres)).isZero();
    }

    @Test
    void attempt_newerSchemaThatHasAll_isServedWithAWarning() {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("migration_newer");
        try (Sql sql = Sql.open(postgres)) {
            sql.run(NEWER);
        }
        assertThat(((Migration.Outcome.Done) migration(postgres).attempt()).warning())
                .contains("its schema is version 9999, made by a newer server", "update it soon");
    }

    @Test
    void attempt_newerSchemaThatLacksAFunction_isRefused() {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("migration_lacks");
        try (Sql sql = Sql.open(postgres)) {
            sql.run(NEWER);
            sql.run("drop function queen.renew_list_v1");
        }
        assertThat(((Migration.Outcome.Refused) migration(postgres).attempt()).reason())
                .contains("version 9999", "lacks what this server calls: function renew_list_v1(uuid[], ");
    }

    @Test
    void attempt_functionTakesOtherTypes_isRefused() {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("migration_types");
        try (Sql sql = Sql.open(postgres)) {
            sql.run(NEWER);
            sql.run("drop function queen.queue_lag_v1");
            sql.run(
                    "create function queen.queue_lag_v1(text, text, int) returns bigint language sql as 'select 1::bigint'");
        }
        assertThat(((Migration.Outcome.Refused) migration(postgres).attempt()).reason())
                .contains("function queue_lag_v1(");
    }

    @Test
    void attempt_appliedFileWasAnother_isRefused() {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("migration_other");
        try (Sql sql = Sql.open(postgres)) {
            sql.run("update queen.flyway_schema_history set checksum = 1 where version = '001'");
        }
        assertThat(((Migration.Outcome.Refused) migration(postgres).attempt()).reason())
                .contains("Migration checksum mismatch");
    }

    @Test
    void attempt_schemaOfAnotherHistory_isNotTakenForNewer() {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("migration_history");
        try (Sql sql = Sql.open(postgres)) {
            sql.run(NEWER);
            sql.run("update queen.flyway_schema_history set checksum = 1 where version = '001'");
        }
        assertThat(((Migration.Outcome.Refused) migration(postgres).attempt()).reason())
                .contains("Migration checksum mismatch");
    }

    @Test
    void attempt_functionsOfAnOlderServer_areReplaced() {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("migration_functions");
        try (Sql sql = Sql.open(postgres)) {
            sql.run(OTHER_FUNCTION);
            sql.run("insert into queen.flyway_schema_history (installed_rank, description, type, script, checksum,"
                    + " installed_by, execution_time, success)"
                    + " values (9998, 'gone', 'SQL', 'R__gone.sql', 1, 'queen', 1, true)");
            assertThat(migration(postgres).attempt()).isEqualTo(new Migration.Outcome.Done(""));
            assertThat(sql.value("select queen.lease_id_for(null, null)")).isNull();
        }
    }

    @Test
    void attempt_functionsOfANewerServer_stay() {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("migration_newer_functions");
        try (Sql sql = Sql.open(postgres)) {
            sql.run(NEWER);
            sql.run(OTHER_FUNCTION);
            assertThat(((Migration.Outcome.Done) migration(postgres).attempt()).warning())
                    .contains("version 9999");
            assertThat(sql.value("select queen.lease_id_for(null, null)")).isNotNull();
        }
    }

    /** As if the newer server had migrated after Flyway compared the versions, and before it took its lock. */
    @Test
    void migrate_newerServerWasFirst_givesWay() {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("migration_race");
        Flyway flyway = Flyway.configure()
                .schemas("queen")
                .dataSource(postgres.jdbcUrl(), postgres.user(), postgres.password())
                .callbacks(new OlderGivesWay())
                .ignoreMigrationPatterns("*:future")
                .load();
        try (Sql sql = Sql.open(postgres)) {
            sql.run(NEWER);
            sql.run(OTHER_FUNCTION);
            assertThatThrownBy(flyway::migrate).hasMessageContaining("version 9999, made by a newer server");
            assertThat(sql.value("select queen.lease_id_for(null, null)")).isNotNull();
        }
    }

    @Test
    void attempt_fewConnectionsAllowed_namesTheLimitAndWhatIsWanted() {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("migration_few");
        try (Sql sql = Sql.open(postgres)) {
            sql.run("alter database migration_few connection limit 12");
        }
        assertThat(((Migration.Outcome.Done) migration(postgres).attempt()).warning())
                .contains("allows 12 connections (the connection limit of database migration_few)")
                .contains("wants 28 (16 for messages, 10 for all else, 2 to watch)");
    }

    @Test
    void attempt_nobodyListens_isNotReached() {
        Login login = login("jdbc:postgresql://127.0.0.1:1/nowhere", "queen", "none");
        Migration migration = new Migration(login, Flyway.configure().load(), TestConfig.defaults());
        assertThat(migration.attempt()).matches(attempt -> !((Migration.Outcome.Failed) attempt).reached());
    }

    @Test
    void attempt_wrongPassword_wasReached() {
        TestPostgres postgres = TestPostgres.shared();
        Login login = login(postgres.jdbcUrl(), postgres.user(), "not-the-password");
        Migration migration = new Migration(login, Flyway.configure().load(), TestConfig.defaults());
        Migration.Outcome.Failed failed = (Migration.Outcome.Failed) migration.attempt();
        assertThat(failed.reached()).isTrue();
        assertThat(failed.reason()).contains("password authentication failed").doesNotContain("not-the-password");
    }

    private static long sessions(TestPostgres postgres) {
        try (Sql sql = Sql.open(postgres)) {
            return sql.number("select count(*) from pg_stat_activity"
                    + " where application_name = 'queen-schema' and datname = current_database()");
        }
    }

    private static Migration migration(TestPostgres postgres) {
        Login login = login(postgres.jdbcUrl(), postgres.user(), postgres.password());
        Flyway flyway = Flyway.configure().schemas("queen").load();
        return new Migration(login, flyway, TestConfig.defaults());
    }

    private static Login login(String url, String user, String password) {
        return new Login(TestConfig.defaults(), url, user, password);
    }
}
