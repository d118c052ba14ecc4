package io.queen.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** How many connections PostgreSQL allows at most, and by which of its three limits. */
record RoleLimits(int most, String limit) {
    private static final String SMALLEST = """
            select l.most, l.what
              from (select r.rolconnlimit, 'the connection limit of role ' || r.rolname
                      from pg_roles r where r.rolname = current_user and not r.rolsuper
                     union all
                    select d.datconnlimit, 'the connection limit of database ' || d.datname
                      from pg_database d where d.datname = current_database()
                     union all
                    select current_setting('max_connections')::int, 'max_connections') l (most, what)
             where l.most >= 0 order by l.most limit 1
            """;

    static RoleLimits read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SMALLEST)) {
            row.next();
            return new RoleLimits(row.getInt(1), row.getString(2));
        }
    }
}
