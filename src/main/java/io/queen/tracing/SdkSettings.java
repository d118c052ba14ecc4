package io.queen.tracing;

import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.quarkus.opentelemetry.runtime.AutoConfiguredOpenTelemetrySdkBuilderCustomizer;
import io.queen.config.QueenConfig;
import jakarta.inject.Singleton;
import java.util.Map;

/**
 * What Quarkus fixes at build time and an operator decides. The SDK also reads the environment by itself: variables that
 * other programs of the same host need, for exporters that are not part of this one, would end the start.
 */
@Singleton
final class SdkSettings implements AutoConfiguredOpenTelemetrySdkBuilderCustomizer {
    private final Map<String, String> settings;

    SdkSettings(QueenConfig config) {
        settings = Map.of(
                "otel.traces.exporter",
                "cdi",
                "otel.metrics.exporter",
                "none",
                "otel.logs.exporter",
                "none",
                "otel.propagators",
                "tracecontext",
                "otel.traces.sampler",
                config.tracing().sampler(),
                "otel.traces.sampler.arg",
                Double.toString(config.tracing().samplerArg()));
    }

    @Override
    public void customize(AutoConfiguredOpenTelemetrySdkBuilder builder) {
        builder.addPropertiesCustomizer(found -> settings);
    }
}
