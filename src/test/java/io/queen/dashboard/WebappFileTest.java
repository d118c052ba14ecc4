package io.queen.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebappFileTest {

    @ParameterizedTest
    @ValueSource(strings = {"assets/x.png", "index-DaB3xY12.js", "main.0a1b2c3d.css", "lib/a-12345678.mjs"})
    void cacheControl_nameTellsTheContent_isForGood(String name) {
        assertThat(WebappFile.cacheControl(name)).isEqualTo("public, max-age=31536000, immutable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"my-component.js", "app.js", "a-1234567.js", "photo-12345678.png", "sub/index.html"})
    void cacheControl_nameTellsNothing_isAnHour(String name) {
        assertThat(WebappFile.cacheControl(name)).isEqualTo("public, max-age=3600");
    }

    @ParameterizedTest
    @ValueSource(strings = {"LICENSE", "a.unknown", ""})
    void type_unknown_isOctets(String name) {
        assertThat(WebappFile.type(name)).isEqualTo("application/octet-stream");
    }
}
