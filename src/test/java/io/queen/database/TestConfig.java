package io.queen.database;

import io.queen.config.QueenConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;

/** The configuration of a server that was told nothing, or little, for tests that start none. */
public final class TestConfig {
    private TestConfig() {}

    public static QueenConfig defaults() {
        return with(Map.of());
    }

    /** With some settings, by their keys. */
    public static QueenConfig with(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .withMapping(QueenConfig.class)
                .addDefaultInterceptors()
                .withDefaultValue("user.home", "/tmp")
                .withDefaultValues(settings)
                .build()
                .getConfigMapping(QueenConfig.class);
    }
}
