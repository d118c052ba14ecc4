package io.queen.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command line, without a server. */
class BenchTest {
    @ParameterizedTest
    @CsvSource({"10,10000", "10s,10000", "500ms,500", "2m,120000", "0.5,500"})
    void span_asPeopleWriteIt_isRead(String text, long millis) {
        assertThat(new Settings.DurationConverter().convert(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "-1s", "1h", "1 s"})
    void span_nonsense_isRefused(String text) {
        assertThatThrownBy(() -> new Settings.DurationConverter().convert(text))
                .isInstanceOf(CommandLine.TypeConversionException.class);
    }

    @Test
    void address_withAndWithoutParts_isRead() {
        ServerAddress full = ServerAddress.of("A", "http://example.org:81/queen/", "secret");
        assertThat(full.host()).isEqualTo("example.org");
        assertThat(full.port()).isEqualTo(81);
        assertThat(full.path()).isEqualTo("/queen");
        assertThat(full).asString().doesNotContain("secret");
        assertThat(ServerAddress.of("A", "localhost", null).port()).isEqualTo(6632);
        assertThat(ServerAddress.of("A", "http://[::1]:7000", null).host()).isEqualTo("::1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://localhost", "http://", "ftp://x", "http://a b"})
    void address_notPlainHttp_isRefused(String url) {
        assertThatThrownBy(() -> ServerAddress.of("A", url, null)).hasMessageContaining("http://host:port");
    }

    @Test
    void requests_token_goesIntoTheHeader() {
        Requests requests = new Requests(ServerAddress.of("A", "http://h:1/base", "abc"), 100);
        assertThat(new String(requests.get("/health"), StandardCharsets.UTF_8))
                .startsWith("GET /base/health HTTP/1.1\r\nHost: h:1\r\n")
                .contains("Authorization: Bearer abc\r\n")
                .endsWith("\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 100, 5000})
    void payload_ofASize_hasIt(int size) {
        Requests requests = new Requests(ServerAddress.of("A", "http://h:1", null), size);
        assertThat(requests.payload(12345)).hasSize(size).startsWith("{\"n\":12345,");
    }

    @Test
    void group_allConsumersFoundNothingInARow_startsAgain() {
        ConsumerGroup group = new ConsumerGroup("g", 2);
        group.found("g-0", false);
        group.found("g-0", true);
        group.found("g-0", false);
        assertThat(group.name()).isEqualTo("g-0");
        group.found("g-0", false);
        assertThat(group.name()).isEqualTo("g-1");
        group.found("g-0", false);
        group.found("g-0", false);
        assertThat(group.name()).isEqualTo("g-1");
    }

    @Test
    void catalog_partitions_standsForAllSizesUpToTheMost() {
        Settings settings = new Settings();
        settings.partitions = 500;
        assertThat(Catalog.choose(List.of("partitions"), settings))
                .extracting(Catalog.Entry::name)
                .containsExactly("partitions-1", "partitions-10", "partitions-100");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nope",
                "--nope",
                "push-1 --duration 0",
                "push-1 --duration soon",
                "push-1 --connections 0",
                "push-1 --url http://a --url http://b --url http://c",
                "push-1 --url https://localhost",
                "push-1 --queue-prefix a/b",
                "push-1 --url http://localhost:1",
                "push-1 --pg mysql://localhost/x",
                "--compare one",
                "--compare /gone/a.json /gone/b.json",
            })
    void run_wrongArguments_isExitCode2(String arguments) {
        assertThat(run(arguments.split(" ", -1))).isEqualTo(2);
    }

    /** As from the command line. */
    static int run(String... arguments) {
        return new CommandLine(new BenchCommand()).execute(arguments);
    }

    @Test
    void run_help_isExitCode0() {
        assertThat(run("--help")).isZero();
    }
}
