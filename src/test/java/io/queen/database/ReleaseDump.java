package io.queen.database;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The database of a release as plain SQL: its migrations as they were, what Flyway wrote of them, and data. It needs
 * nothing but a connection, of any supported PostgreSQL.
 */
final class ReleaseDump {
    static final Path DIRECTORY = Path.of("src/test/resources/schemas");

    private static final Path MIGRATIONS = Path.of("src/main/resources/db/migration");
    private static final String HISTORY = """
            create table queen.flyway_schema_history (
                installed_rank integer not null constraint flyway_schema_history_pk primary key,
                version        varchar(50),
                description    varchar(200) not null,
                type           varchar(20) not null,
                script         varchar(1000) not null,
                checksum       integer,
                installed_by   varchar(100) not null,
                installed_on   timestamp not null default now(),
                execution_time integer not null,
                success        boolean not null
            );
            create index flyway_schema_history_s_idx on queen.flyway_schema_history (success);
            """;
    /** But for what is not logged, and the push log: transaction ids mean nothing in another cluster. */
    private static final String TABLES = """
            select c.relname from pg_class c
             where c.relnamespace = 'queen'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
               and c.relname not in ('push_log', 'clear_marks')
             order by c.relname collate "C"
            """;

    private static final String ROWS = """
            select format('insert into queen.%%I select * from json_populate_record(null::queen.%%1$I, %%L);',
                          '%1$s', row_to_json(t)) as row
              from queen.%1$s t
             order by t.*::text
            """;

    private ReleaseDump() {}

    /** Writes that of the schema as it is now; the tests read it from then on. */
    static void write(String release) throws IOException {
        try (Sql sql = Sql.open(TestPostgres.shared().ownDatabase("dump_of_" + release))) {
            sql.run(Files.readString(DIRECTORY.resolve("data.sql")));
            Files.writeString(
                    DIRECTORY.resolve(release + ".sql"),
                    "create schema queen;\n" + migrations() + HISTORY
                            + "set local session_replication_role = replica;\n" + data(sql) + "\n");
        }
    }

    static List<Path> all() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> !file.endsWith("data.sql")).sorted().toList();
        }
    }

    /** A database that has it. */
    static TestPostgres load(Path dump) throws Exception {
        TestPostgres postgres = TestPostgres.shared().createDatabase("upgrade_of_" + dump.getFileName());
        try (Sql sql = Sql.open(postgres)) {
            sql.begin().run(Files.readString(dump));
            sql.commit();
        }
        return postgres;
    }

    /** As Flyway runs them: first those with a version. */
    private static String migrations() throws IOException {
        try (Stream<Path> files = Files.list(MIGRATIONS)) {
            StringBuilder text = new StringBuilder();
            for (Path file :
                    files.sorted(Comparator.comparing(ReleaseDump::place)).toList()) {
                text.append(Files.readString(file)).append('\n');
            }
            return text.toString();
        }
    }

    private static String place(Path file) {
        String name = file.getFileName().toString();
        return (name.startsWith("V") ? "1" : "2") + name;
    }

    private static String data(Sql sql) {
        return sql.rows(TABLES).stream()
                .flatMap(table -> sql.rows(ROWS.formatted(table.get("relname"))).stream())
                .map((Map<String, Object> row) -> (String) row.get("row"))
                .collect(Collectors.joining("\n"));
    }
}
