package io.queen.database;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where PostgreSQL is, read from the JDBC URL in force: the one place that a user's datasource URL, {@code PG_HOST}
 * and its siblings, and the embedded PostgreSQL all end in.
 */
public record DatabaseAddress(List<Host> hosts, String database, boolean ssl, boolean verifyCertificate) {
    private static final String PREFIX = "jdbc:postgresql://";
    private static final int DEFAULT_PORT = 5432;

    /** One server. */
    public record Host(String name, int port) {
        @Override
        public String toString() {
            return name + ":" + port;
        }
    }

    /** The address in a JDBC URL of the form {@code jdbc:postgresql://host[:port][,host[:port]]/database?sslmode=…}. */
    public static DatabaseAddress parse(String jdbcUrl) {
        if (!jdbcUrl.startsWith(PREFIX)) {
            throw new IllegalArgumentException("quarkus.datasource.jdbc.url must start with " + PREFIX);
        }
        String rest = jdbcUrl.substring(PREFIX.length());
        int query = rest.indexOf('?');
        String parameters = query < 0 ? "" : rest.substring(query + 1).toLowerCase(Locale.ROOT);
        String path = query < 0 ? rest : rest.substring(0, query);
        int slash = path.indexOf('/');
        List<Host> hosts = new ArrayList<>();
        for (String host : (slash < 0 ? path : path.substring(0, slash)).split(",", -1)) {
            hosts.add(host(host));
        }
        String database = slash < 0 || slash == path.length() - 1 ? "postgres" : path.substring(slash + 1);
        boolean require = parameters.matches(".*sslmode=(require|verify-ca|verify-full).*");
        return new DatabaseAddress(hosts, database, require, parameters.matches(".*sslmode=verify-.*"));
    }

    private static Host host(String text) {
        int colon = text.lastIndexOf(':');
        boolean hasPort = colon > 0 && colon > text.lastIndexOf(']');
        String name = hasPort ? text.substring(0, colon) : text;
        int port = hasPort ? Integer.parseInt(text.substring(colon + 1)) : DEFAULT_PORT;
        return new Host(name.replace("[", "").replace("]", ""), port);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        hosts.forEach(host -> text.append(text.isEmpty() ? "" : ",").append(host));
        return text.append('/').append(database).toString();
    }
}
