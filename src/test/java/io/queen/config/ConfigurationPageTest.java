package io.queen.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page of settings is the configuration: each variable, key, default, range and description. */
class ConfigurationPageTest {
    private static final Path FILE = Path.of("docs/configuration.md");

    @Test
    void settings_listed_areTheConfiguration() throws Exception {
        String expected = ConfigurationPage.renew(Files.readString(FILE));
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(FILE, expected);
        }
        assertThat(Files.readString(FILE))
                .as("the settings; after a change: mvn test -Dtest=ConfigurationPageTest -Ddocs.write=true")
                .isEqualTo(expected);
    }
}
