package io.queen.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the statements of the stores call in the database: functions with what they take and give, and columns. A schema
 * that has all of it can be served, whichever version made it; during an update that is how servers of two versions work side by
 * side. A test derives the list from the statements.
 */
final class SchemaNeeds {
    /** Each on a line as in the list; types are written out whatever the search path of the session is. */
    static final String CATALOG = """
            select 'function ' || p.proname || '(' || oidvectortypes(p.proargtypes) || ') ' || pg_get_function_result(p.oid)
              from pg_proc p
             where p.pronamespace = to_regnamespace('queen')
             union all
            select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
              from pg_class c
              join pg_attribute a on a.attrelid = c.oid
             where c.relnamespace = to_regnamespace('queen') and c.relkind in ('r', 'p')
               and a.attnum > 0 and not a.attisdropped
            """;

    private final List<String> needed;

    SchemaNeeds(List<String> needed) {
        this.needed = needed;
    }

    /** Those of this server. */
    static SchemaNeeds own() {
        try (InputStream file = SchemaNeeds.class.getResourceAsStream("/io/queen/database/needs.txt")) {
            return new SchemaNeeds(new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> all() {
        return needed;
    }

    /** What the schema lacks of it. */
    List<String> missing(Connection connection) throws SQLException {
        List<String> missing = new ArrayList<>(needed);
        missing.removeAll(there(connection));
        return missing;
    }

    /** All that the schema has, in a transaction of its own: behind a pooler nothing may be set for a session. */
    static Set<String> there(Connection connection) throws SQLException {
        Set<String> there = new HashSet<>();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("set local search_path = pg_catalog");
            try (ResultSet rows = statement.executeQuery(CATALOG)) {
                while (rows.next()) {
                    there.add(rows.getString(1));
                }
            }
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
        return there;
    }
}
