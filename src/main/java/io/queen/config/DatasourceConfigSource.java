package io.queen.config;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
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
        boolean ssl = Boolean.parseBoolean(value(context, "queen.database.ssl", "PG_USE_SSL", "false"));
        boolean verify = Boolean.parseBoolean(
                value(context, "queen.database.ssl-reject-unauthorized", "PG_SSL_REJECT_UNAUTHORIZED", "true"));
        boolean pooler =
                Boolean.parseBoolean(value(context, "queen.database.pooler", "QUEEN_DATABASE_POOLER", "false"));
        Map<String, String> values = new HashMap<>();
        String reactive = text(context.getValue("quarkus.datasource.reactive.url"));
        values.put(
                "quarkus.datasource.jdbc.url",
                unnamed(pooler, reactive == null ? jdbcUrl(host, port, name, ssl, verify) : jdbcUrl(reactive)));
        values.put("quarkus.datasource.username", value(context, "queen.database.user", "PG_USER", "postgres"));
        values.put("quarkus.datasource.password", value(context, "queen.database.password", "PG_PASSWORD", "postgres"));
        return List.of(new PropertiesConfigSource(values, "queen database", ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }

    static String jdbcUrl(String hosts, String port, String database, boolean ssl, boolean verify) {
        StringBuilder url = new StringBuilder("jdbc:postgresql://");
        for (String host : hosts.split(",", -1)) {
            String trimmed = host.trim();
            url.append(trimmed).append(trimmed.contains(":") ? "" : ":" + port).append(',');
        }
        url.setLength(url.length() - 1);
        url.append('/').append(database).append("?targetServerType=primary&sslmode=");
        return url.append(ssl ? (verify ? "verify-full" : "require") : "prefer").toString();
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
