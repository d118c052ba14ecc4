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
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Gives Quarkus the settings of OpenTelemetry by their standard names, and turns it off as long as there is no collector:
 * without one no span is made, and no thread is started.
 */
public final class TracingConfigSource implements ConfigSourceFactory {
    private static final String OTEL = "quarkus.otel.";
    private static final String OTLP = OTEL + "exporter.otlp.";

    /** Below application.properties (250), above the defaults of mappings. */
    private static final int ORDINAL = 240;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        UnaryOperator<String> config = name -> {
            ConfigValue value = context.getValue(name);
            return value == null ? null : value.getValue();
        };
        String endpoint = text(config, "endpoint", "OTEL_EXPORTER_OTLP_ENDPOINT");
        boolean on = endpoint.matches(QueenConfig.Tracing.ENDPOINTS)
                && !"true".equalsIgnoreCase(config.apply("OTEL_SDK_DISABLED"));
        Map<String, String> values = new HashMap<>();
        values.put(OTEL + "sdk.disabled", Boolean.toString(!on));
        if (on) {
            put(values, OTLP + "endpoint", endpoint);
            put(values, OTLP + "protocol", text(config, "protocol", "OTEL_EXPORTER_OTLP_PROTOCOL"));
            put(values, OTLP + "headers", text(config, "headers", "OTEL_EXPORTER_OTLP_HEADERS"));
            String millis = text(config, "timeout", "OTEL_EXPORTER_OTLP_TIMEOUT");
            put(values, OTLP + "timeout", millis.isEmpty() ? "" : millis + "ms");
            put(values, OTEL + "service.name", text(config, "service-name", "OTEL_SERVICE_NAME"));
            put(values, OTEL + "resource.attributes", text(config, "resource-attributes", "OTEL_RESOURCE_ATTRIBUTES"));
        }
        return List.of(new PropertiesConfigSource(values, "queen tracing", ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }

    private static String text(UnaryOperator<String> config, String key, String variable) {
        return HttpConfigSource.first(config, "", "queen.tracing." + key, variable);
    }

    private static void put(Map<String, String> values, String key, String value) {
        if (!value.isEmpty()) {
            values.put(key, value);
        }
    }
}
