package io.queen.database;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where PostgreSQL is, read from the JDBC URL in force: the one place that a user's datasource URL, {@code PG_HOST}
 * and its siblings, and the embedded PostgreSQL all end in.
 */
public record DatabaseAddress(List<Host> hosts, String database, Tls tls) {
    private static final String PREFIX = "jdbc:postgresql://";
    private static final int DEFAULT_PORT = 5432;

    /** One server. */
    public record Host(String name, int port) {
        @Override
        public String toString() {
            return name + ":" + port;
        }
    }

    /**
     * What the URL says of TLS, in the words of libpq.
     *
     * @param mode {@code sslmode}, {@code prefer} when it is not there
     * @param authorities file with the authorities that are trusted; null for those of Java
     * @param cert file with the certificate to show; null for none
     * @param key file with its private key
     */
    public record Tls(String mode, String authorities, String cert, String key) {
        boolean required() {
            return verified() || mode.equals("require");
        }

        boolean verified() {
            return mode.startsWith("verify-");
        }
    }

    /** The address in a JDBC URL of the form {@code jdbc:postgresql://host[:port][,host[:port]]/database?sslmode=…}. */
    public static DatabaseAddress parse(String jdbcUrl) {
        if (!jdbcUrl.startsWith(PREFIX)) {
            throw new IllegalArgumentException("quarkus.datasource.jdbc.url must start with " + PREFIX);
        }
        String rest = jdbcUrl.substring(PREFIX.length());
        int query = rest.indexOf('?');
        Map<String, String> parameters = parameters(query < 0 ? "" : rest.substring(query + 1));
        String path = query < 0 ? rest : rest.substring(0, query);
        int slash = path.indexOf('/');
        List<Host> hosts = new ArrayList<>();
        for (String host : (slash < 0 ? path : path.substring(0, slash)).split(",", -1)) {
            hosts.add(host(host));
        }
        String database = slash < 0 || slash == path.length() - 1 ? "postgres" : path.substring(slash + 1);
        Tls tls = new Tls(
                parameters.getOrDefault("sslmode", "prefer").toLowerCase(Locale.ROOT),
                parameters.get("sslrootcert"),
                parameters.get("sslcert"),
                parameters.get("sslkey"));
        return new DatabaseAddress(hosts, database, tls);
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String parameter : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            if (equals > 0) {
                String value = URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8);
                parameters.put(parameter.substring(0, equals).toLowerCase(Locale.ROOT), value);
            }
        }
        return parameters;
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
