package io.queen.config;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Gives Flyway's JDBC datasource the address that the reactive connections use, so that {@code PG_HOST} and its
 * siblings are said once. A reactive URL is translated; a JDBC URL of the user's own has a higher ordinal and wins.
 */
public final class DatasourceConfigSource implements ConfigSourceFactory {
    /** Below application.properties (250), above the defaults of mappings. */
    private static final int ORDINAL = 240;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        String host = value(context, "queen.database.host", "PG_HOST", "localhost");
        String port = value(context, "queen.database.port", "PG_PORT", "5432");
        String name = value(context, "queen.database.name", "PG_DB", "postgres");
        boolean pooler =
                Boolean.parseBoolean(value(context, "queen.database.pooler", "QUEEN_DATABASE_POOLER", "false"));
        Map<String, String> values = new HashMap<>();
        String reactive = text(context.getValue("quarkus.datasource.reactive.url"));
        values.put(
                "quarkus.datasource.jdbc.url",
                unnamed(pooler, reactive == null ? jdbcUrl(host, port, name) + tls(context) : jdbcUrl(reactive)));
        values.put("quarkus.datasource.username", value(context, "queen.database.user", "PG_USER", "postgres"));
        values.put("quarkus.datasource.password", value(context, "queen.database.password", "PG_PASSWORD", "postgres"));
        return List.of(new PropertiesConfigSource(values, "queen database", ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }

    /** An authority of one's own is not named for nothing: with it TLS is required. */
    private static String tls(ConfigSourceContext context) {
        String authority = value(context, "queen.database.ssl-root-cert", "PG_SSL_ROOT_CERT", "");
        boolean use = Boolean.parseBoolean(value(context, "queen.database.ssl", "PG_USE_SSL", "false"));
        boolean verify = Boolean.parseBoolean(
                value(context, "queen.database.ssl-reject-unauthorized", "PG_SSL_REJECT_UNAUTHORIZED", "true"));
        return tls(use || !authority.isEmpty(), verify)
                + parameter("sslrootcert", authority)
                + parameter("sslcert", value(context, "queen.database.ssl-cert", "PG_SSL_CERT", ""))
                + parameter("sslkey", value(context, "queen.database.ssl-key", "PG_SSL_KEY", ""));
    }

    static String tls(boolean use, boolean verify) {
        return "&sslmode=" + (use ? (verify ? "verify-full" : "require") : "prefer");
    }

    private static String parameter(String name, String value) {
        return value.isEmpty() ? "" : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    static String jdbcUrl(String hosts, String port, String database) {
        StringBuilder url = new StringBuilder("jdbc:postgresql://");
        for (String host : hosts.split(",", -1)) {
            String trimmed = host.trim();
            url.append(trimmed).append(trimmed.contains(":") ? "" : ":" + port).append(',');
        }
        url.setLength(url.length() - 1);
        return url.append('/')
                .append(database)
                .append("?targetServerType=primary")
                .toString();
    }

    /** The same address as a JDBC URL; user and password have keys of their own. */
    static String jdbcUrl(String reactiveUrl) {
        int start = reactiveUrl.indexOf("://");
        String address = start < 0 ? reactiveUrl : reactiveUrl.substring(start + 3);
        return "jdbc:postgresql://" + address.substring(address.indexOf('@') + 1);
    }

    /** Behind a pooler in transaction mode a statement has no name: the session that gave it may not be there again. */
    static String unnamed(boolean pooler, String url) {
        return pooler ? url + (url.contains("?") ? "&" : "?") + "prepareThreshold=0" : url;
    }

    private static String value(ConfigSourceContext context, String key, String variable, String otherwise) {
        String value = text(context.getValue(key));
        if (value == null) {
            value = text(context.getValue(variable));
        }
        return value == null ? otherwise : value;
    }

    private static String text(ConfigValue value) {
        return value == null || value.getValue() == null || value.getValue().isBlank() ? null : value.getValue();
    }
}
