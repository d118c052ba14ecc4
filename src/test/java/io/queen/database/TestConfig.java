package io.queen.database;

import io.queen.config.QueenConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** The configuration of a server that was told nothing, for tests that start none. */
public final class TestConfig {
    private TestConfig() {}

    public static QueenConfig defaults() {
        return new SmallRyeConfigBuilder()
                .withMapping(QueenConfig.class)
                .addDefaultInterceptors()
                .withDefaultValue("user.home", "/tmp")
                .build()
                .getConfigMapping(QueenConfig.class);
    }
}
