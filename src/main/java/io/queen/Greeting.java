package io.queen;

import io.quarkus.vertx.http.HttpServer;
import io.queen.config.QueenConfig;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.embedded.EmbeddedPostgres;
import io.queen.embedded.PostgresAddress;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The one block that a start prints: what runs, where, where its data is, and how to have it elsewhere. */
@Singleton
final class Greeting {
    private final String version;
    private final String host;
    private final QueenConfig config;
    private final HttpServer http;
    private final Database database;
    private final Schema schema;

    Greeting(
            @ConfigProperty(name = "quarkus.application.version") String version,
            @ConfigProperty(name = "quarkus.http.host") String host,
            QueenConfig config,
            HttpServer http,
            Database database,
            Schema schema) {
        this.version = version;
        this.host = host;
        this.config = config;
        this.http = http;
        this.database = database;
        this.schema = schema;
    }

    String text() {
        String name = host.equals("0.0.0.0") || host.equals("127.0.0.1") ? "localhost" : host;
        String address = config.tls().cert().isPresent()
                ? "https://" + name + ":" + http.getSecurePort()
                : "http://" + name + ":" + http.getPort();
        return "Queen " + version
                + line("address", address)
                + line("Swagger UI", address + "/q/swagger-ui")
                + Embedded.running().map(this::embedded).orElseGet(this::own);
    }

    private String own() {
        return line("database", database.address() + ", user " + database.user() + standing());
    }

    private String standing() {
        String standing = schema.standing();
        return standing.isEmpty() ? "" : " (" + standing + ")";
    }

    private String embedded(EmbeddedPostgres postgres) {
        PostgresAddress address = postgres.address();
        String password = postgres.directory().resolve("postgres.password").toString();
        String psql = "PGPASSWORD=$(cat " + password + ") psql -h " + address.host() + " -p " + address.port() + " -U "
                + address.user() + " " + address.database();
        return line(
                        "data",
                        postgres.directory() + " (embedded PostgreSQL " + postgres.version() + ", QUEEN_DATA_DIR)"
                                + standing())
                + line("psql", psql)
                + line("own database", "set PG_HOST, PG_PORT, PG_DB, PG_USER and PG_PASSWORD");
    }

    private static String line(String name, String value) {
        return String.format("%n  %-13s %s", name, value);
    }
}
