package io.queen.database;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.postgresql.Driver;

/**
 * What PostgreSQL has done so far, for who measures from outside. Over JDBC, and waits for each answer: not for use in a
 * server. What the user may not see, or what is not installed, is null.
 */
public final class DatabaseFigures implements AutoCloseable {
    private static final String TRANSACTIONS =
            "select xact_commit + xact_rollback from pg_stat_database where datname = current_database()";
    private static final String WAL = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint";
    private static final String STATEMENTS = "select sum(s.calls)::bigint from pg_stat_statements s"
            + " join pg_database d on d.oid = s.dbid where d.datname = current_database() and s.toplevel";
    /** Ticks of all processes that run, and of those that ended, which the first one has inherited; in microseconds. */
    private static final String CPU = "with first as ("
            + " select split_part(pg_read_file('postmaster.pid', 0, 64, false), E'\\n', 1)::int as pid"
            + "), process as (select pid from first union select pid from pg_stat_activity where pid is not null"
            + "), stat as (select p.pid, string_to_array(regexp_replace("
            + "   pg_read_file('/proc/' || p.pid || '/stat', 0, 4096, true), '^.*\\) ', ''), ' ') as field from process p)"
            + " select 10000 * sum(s.field[12]::bigint + s.field[13]::bigint + case when s.pid = f.pid"
            + "   then s.field[14]::bigint + s.field[15]::bigint else 0 end)::bigint from stat s, first f";

    private final String url;
    private final Connection connection;

    private DatabaseFigures(String url, Connection connection) {
        this.url = url;
        this.connection = connection;
    }

    /** Sums since PostgreSQL started. */
    public record Reading(Long transactions, Long walBytes, Long statements, Long cpuMicros) {
        public static final Reading NOTHING = new Reading(null, null, null, null);
    }

    /** By a URL as JDBC has it, or as libpq has it ({@code postgres://user:password@host:5432/database}). */
    public static DatabaseFigures open(String url) {
        Properties properties = new Properties();
        try {
            Connection opened = new Driver().connect(jdbcUrl(url, properties), properties);
            if (opened == null) {
                throw new IllegalArgumentException("not an address of the form postgres://user@host:port/database");
            }
            return new DatabaseFigures(url, opened);
        } catch (SQLException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Puts user and password, which JDBC does not take before the host, into the properties. */
    static String jdbcUrl(String url, Properties properties) {
        String plain = url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url;
        String scheme = plain.replaceFirst("^postgres://", "postgresql://");
        URI uri = URI.create(scheme);
        String who = uri.getRawUserInfo();
        if (who == null) {
            return "jdbc:" + scheme;
        }
        int colon = who.indexOf(':');
        properties.setProperty("user", decode(colon < 0 ? who : who.substring(0, colon)));
        if (colon >= 0) {
            properties.setProperty("password", decode(who.substring(colon + 1)));
        }
        return "jdbc:" + scheme.replace(who + "@", "");
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    public String url() {
        return url;
    }

    public Reading read() {
        return new Reading(number(TRANSACTIONS), number(WAL), number(STATEMENTS), number(CPU));
    }

    private Long number(String sql) {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            found.next();
            long value = found.getLong(1);
            return found.wasNull() ? null : value;
        } catch (SQLException e) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("could not close the connection to PostgreSQL", e);
        }
    }
}
