package io.queen.bench;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.SslMode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** What PostgreSQL has done so far. */
final class DatabaseFiguresStore implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 30;
    private static final String UNUSABLE = "Cannot use the database of --pg: ";
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

    private static final Map<String, String> QUERIES = Map.of(
            ResourceUsage.TRANSACTIONS, TRANSACTIONS,
            ResourceUsage.WAL, WAL,
            ResourceUsage.STATEMENTS, STATEMENTS,
            ResourceUsage.POSTGRES_CPU, CPU);

    private final String url;
    private final Vertx vertx;
    private final PgConnection connection;

    /** By a URL as libpq has it ({@code postgres://user:password@host:5432/database}), or JDBC. */
    DatabaseFiguresStore(String url) {
        // It serves no files: without these it would make a directory for copies of them.
        FileSystemOptions noFiles =
                new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
        this.url = url;
        this.vertx = Vertx.vertx(
                new VertxOptions().setEventLoopPoolSize(BenchRun.threads()).setFileSystemOptions(noFiles));
        try {
            this.connection = connect();
        } catch (BenchException e) {
            vertx.close();
            throw e;
        }
    }

    /** Another connection. */
    PgConnection connect() {
        try {
            return await(PgConnection.connect(vertx, options(url)));
        } catch (IllegalArgumentException e) {
            throw new BenchException(UNUSABLE + e.getMessage());
        }
    }

    /** A plus in a password is a plus; encryption without "verify" asks for no certificate that is known here. */
    static PgConnectOptions options(String url) {
        PgConnectOptions options =
                PgConnectOptions.fromUri(url.replaceFirst("^jdbc:", "").replace("+", "%2B"));
        boolean verify = options.getSslMode() == SslMode.VERIFY_CA || options.getSslMode() == SslMode.VERIFY_FULL;
        options.setTrustAll(!verify).setHostnameVerificationAlgorithm(verify ? "HTTPS" : "");
        return options.setCachePreparedStatements(true);
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage()
                    .toCompletableFuture()
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            throw new BenchException(UNUSABLE + e.getCause().getMessage());
        }
    }

    /** Sums since PostgreSQL started. What the user may not see, or what is not installed, is left out. */
    Map<String, Long> read() {
        Map<String, Long> figures = new HashMap<>();
        QUERIES.forEach((figure, sql) -> number(sql).ifPresent(number -> figures.put(figure, number)));
        return figures;
    }

    private Optional<Long> number(String sql) {
        return await(connection
                .query(sql)
                .execute()
                .map(rows -> Optional.ofNullable(rows.iterator().next().getLong(0)))
                .otherwise(failure -> Optional.empty()));
    }

    @Override
    public void close() {
        await(connection.close().otherwiseEmpty());
        vertx.close();
    }
}
