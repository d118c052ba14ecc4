package io.queen.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.ReadmeTest;
import org.junit.jupiter.api.Test;

/** The README's table of settings is the configuration: each key, variable, default and description. */
class ReadmeConfigurationTest {

    @Test
    void settings_listed_areTheConfiguration() throws Exception {
        assertThat(String.join("\n", ReadmeTest.table("## Configuration")))
                .isEqualTo(String.join("\n", ConfigTable.rows()));
    }
}
