package io.queen.metrics;

import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Which meters of the libraries are kept. */
@Singleton
final class MeterNames {

    /** Those that the driver makes for each single connection say less than those of the sidecar, and are many. */
    @Produces
    @Singleton
    MeterFilter withoutSingleConnections() {
        return MeterFilter.denyNameStartsWith("queen-");
    }
}
