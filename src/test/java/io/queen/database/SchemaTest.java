package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.embedded.TestPostgres;
import io.queen.testing.Sql;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class SchemaTest {
    @Inject
    Schema schema;

    @Inject
    Migration migration;

    @Test
    void start_databaseAtHand_isReady() {
        assertThat(schema.ready()).isTrue();
    }

    @Test
    void attempt_again_changesNothing() {
        assertThat(migration.attempt()).isEqualTo(new MigrationOutcome.Done(""));
    }

    /** The files of functions are run without this check, so that their order is of no importance. */
    @Test
    void functions_allThere_callWhatIsThere() throws SQLException {
        TestPostgres postgres = TestPostgres.shared().ownDatabase("function_bodies");
        try (Sql sql = Sql.open(postgres)) {
            sql.run("""
                    do $do$
                    declare
                        v_function text;
                    begin
                        for v_function in
                            select pg_get_functiondef(p.oid) from pg_proc p where p.pronamespace = 'queen'::regnamespace
                        loop
                            execute v_function;
                        end loop;
                    end
                    $do$
                    """);
        }
    }

    @Test
    void migrate_severalAtOnce_allSucceed() throws SQLException {
        TestPostgres empty = TestPostgres.shared().createDatabase("migrated_by_many");
        List<CompletableFuture<TestPostgres>> servers = Stream.generate(
                        () -> CompletableFuture.supplyAsync(empty::migrate))
                .limit(3)
                .toList();
        assertThat(servers).allSatisfy(server -> assertThat(server.join()).isNotNull());
    }
}
