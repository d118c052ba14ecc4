package io.queen.config;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Gives Quarkus the address to listen on, and HTTPS. Not by expressions in application.properties: the address depends on
 * whether tokens are asked for, and without a certificate there must be no trace of TLS.
 *
 * <p>With a certificate the port speaks TLS, and no other port is opened: a second, plain one would be the way in that
 * the certificate was meant to close.
 */
public final class HttpConfigSource implements ConfigSourceFactory {
    /** The name in Quarkus' TLS registry. */
    public static final String TLS = "queen";

    /** Below application.properties (250), above the defaults of mappings. */
    private static final int ORDINAL = 240;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        UnaryOperator<String> config = name -> {
            ConfigValue value = context.getValue(name);
            return value == null ? null : value.getValue();
        };
        Map<String, String> values = new HashMap<>();
        values.put("quarkus.http.host", host(config));
        String cert = first(config, "", "queen.tls.cert");
        String key = first(config, "", "queen.tls.key");
        if (!cert.isEmpty() && !key.isEmpty()) {
            values.put("quarkus.tls." + TLS + ".key-store.pem.0.cert", cert);
            values.put("quarkus.tls." + TLS + ".key-store.pem.0.key", key);
            values.put("quarkus.http.tls-configuration-name", TLS);
            values.put("quarkus.http.insecure-requests", "disabled");
        }
        return List.of(new PropertiesConfigSource(values, "queen http", ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }

    /** Where to listen: as it is set, else on this machine alone as long as nothing is asked of callers. */
    public static String host(UnaryOperator<String> config) {
        boolean tokens = "true".equals(first(config, "", "queen.jwt.enabled", "JWT_ENABLED"));
        return first(config, tokens ? "0.0.0.0" : "127.0.0.1", "queen.http.host", "HOST");
    }

    /** The first of the keys that has a value. */
    public static String first(UnaryOperator<String> config, String otherwise, String... keys) {
        return Stream.of(keys)
                .map(config)
                .filter(value -> value != null && !value.isBlank())
                .findFirst()
                .orElse(otherwise);
    }
}
