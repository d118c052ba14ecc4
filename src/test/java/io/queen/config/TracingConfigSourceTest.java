package io.queen.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TracingConfigSourceTest {
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

    @Test
    void tracing_withoutCollector_isOff() {
        assertThat(value(Map.of(), "quarkus.otel.sdk.disabled")).isEqualTo("true");
    }

    /** The check of the settings tells of it; until then the SDK must not stumble over it. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "localhost:4317", "ftp://collector", "http://"})
    void tracing_withWrongEndpoint_isOff(String endpoint) {
        assertThat(value(Map.of(ENDPOINT, endpoint), "quarkus.otel.sdk.disabled"))
                .isEqualTo("true");
    }

    @Test
    void tracing_turnedOff_isOffWithACollector() {
        assertThat(value(
                        Map.of(ENDPOINT, "http://collector:4317", "OTEL_SDK_DISABLED", "true"),
                        "quarkus.otel.sdk.disabled"))
                .isEqualTo("true");
    }

    @Test
    void tracing_byVariables_isAsQuarkusTakesIt() {
        Map<String, String> variables = Map.of(
                ENDPOINT,
                "http://collector:4318",
                "OTEL_EXPORTER_OTLP_PROTOCOL",
                "http/protobuf",
                "OTEL_EXPORTER_OTLP_HEADERS",
                "a=b",
                "OTEL_EXPORTER_OTLP_TIMEOUT",
                "2500",
                "OTEL_SERVICE_NAME",
                "orders",
                "OTEL_RESOURCE_ATTRIBUTES",
                "x=y");
        assertThat(value(variables, "quarkus.otel.sdk.disabled")).isEqualTo("false");
        assertThat(value(variables, "quarkus.otel.exporter.otlp.endpoint")).isEqualTo("http://collector:4318");
        assertThat(value(variables, "quarkus.otel.exporter.otlp.protocol")).isEqualTo("http/protobuf");
        assertThat(value(variables, "quarkus.otel.exporter.otlp.headers")).isEqualTo("a=b");
        assertThat(value(variables, "quarkus.otel.exporter.otlp.timeout")).isEqualTo("2500ms");
        assertThat(value(variables, "quarkus.otel.service.name")).isEqualTo("orders");
        assertThat(value(variables, "quarkus.otel.resource.attributes")).isEqualTo("x=y");
    }

    @Test
    void endpoint_byKeyAndVariable_keyWins() {
        assertThat(value(
                        Map.of(ENDPOINT, "http://a", "queen.tracing.endpoint", "http://b"),
                        "quarkus.otel.exporter.otlp.endpoint"))
                .isEqualTo("http://b");
    }

    private static String value(Map<String, String> values, String key) {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(values, "test", 300))
                .withSources(new TracingConfigSource())
                .build();
        return config.getConfigValue(key).getValue();
    }
}
