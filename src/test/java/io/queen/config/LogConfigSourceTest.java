package io.queen.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogConfigSourceTest {

    @ParameterizedTest
    @CsvSource({"trace,TRACE", "debug,DEBUG", "info,INFO", "WARN,WARN", "error,ERROR", "loud,INFO"})
    void level_byVariable_isQuarkusLevel(String level, String expected) {
        assertThat(config(Map.of("LOG_LEVEL", level))
                        .getConfigValue("quarkus.log.level")
                        .getValue())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"text,false", "json,true"})
    void format_byVariable_isQuarkusSwitch(String format, String expected) {
        assertThat(config(Map.of("LOG_FORMAT", format))
                        .getConfigValue("quarkus.log.console.json.enabled")
                        .getValue())
                .isEqualTo(expected);
    }

    @Test
    void format_byKeyAndVariable_keyWins() {
        SmallRyeConfig config = config(Map.of("LOG_FORMAT", "json", "queen.log.format", "text"));
        assertThat(config.getConfigValue("quarkus.log.console.json.enabled").getValue())
                .isEqualTo("false");
    }

    private static SmallRyeConfig config(Map<String, String> values) {
        return new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(values, "test", 300))
                .withSources(new LogConfigSource())
                .build();
    }
}
