package io.queen.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.bench.Scenario.Round;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    @TempDir
    Path directory;

    @Test
    void ratio_ofPairs_isMedianWithSpread() {
        Ratio ratio = Ratio.of(List.of(100.0, 200.0, 50.0), List.of(150.0, 200.0, 100.0));
        assertThat(ratio).isEqualTo(new Ratio(1.5, 1, 2));
        assertThat(ratio).hasToString("1.50 (1.00 to 2.00)");
    }

    @Test
    void ratio_evenNumberOfPairs_isBetweenTheMiddleOnes() {
        assertThat(Ratio.of(List.of(1.0, 1.0), List.of(1.0, 2.0)).median()).isEqualTo(1.5);
    }

    @Test
    void ratio_nothingToCompare_isADash() {
        assertThat(Ratio.of(List.of(0.0), List.of(5.0))).hasToString("-");
        assertThat(Ratio.of(List.of(2.0), List.of(1.0))).hasToString("0.50");
    }

    @Test
    void counts_ofRounds_addUp() {
        Counts sum = Counts.sum(List.of(counts(100, 1, 2), counts(300, 1, 4)));
        assertThat(sum.messages()).isEqualTo(400);
        assertThat(sum.messagesPerSecond()).isEqualTo(200);
        assertThat(sum.requests()).isEqualTo(2);
        assertThat(sum.maxMillis()).isBetween(4.0, 4.01);
    }

    @Test
    void report_oneServer_leavesOutWhatIsNotKnown() {
        String report = report(result("A", round(counts(1000, 2, 3))));
        assertThat(report).contains("push-1", "500", "3.00").doesNotContain("B / A", "WAL", "server", "missed");
    }

    @Test
    void report_withFigures_givesThemPerMessage() {
        Map<String, Long> used = Map.of(
                ResourceUsage.SERVER_CPU, 2000L,
                ResourceUsage.POSTGRES_CPU, 4000L,
                ResourceUsage.STATEMENTS, 100L,
                ResourceUsage.WAL, 200_000L);
        ResourceUsage spent = new ResourceUsage(used, Map.of("push", 30L), Map.of("push", 10L), 64L << 20);
        String report = report(result("A", new Round(counts(1000, 2, 3), spent, 7)));
        assertThat(report)
                .contains("server µs", "2.0", "64", "4.0", "0.100", "200", "push 3.0")
                .contains("7 requests were due and never sent");
    }

    @Test
    void report_twoServers_givesTheRatioRoundByRound() {
        Result a = result("A", round(counts(1000, 1, 2)), round(counts(500, 1, 2)));
        Result b = result("B", round(counts(2000, 1, 1)), round(counts(1500, 1, 1)));
        assertThat(report(a, b)).contains("B / A", "2.50 (2.00 to 3.00)", "0.50");
    }

    @Test
    void report_failures_areNamedWithTheirNumber() {
        Counts counts = counts(10, 1, 1);
        counts.reasons().put("HTTP 503: try again", 3L);
        assertThat(report(result("A", round(counts)))).contains("push-1: 3 × HTTP 503: try again");
    }

    @Test
    void comparison_ofTwoFiles_givesRatiosAndWhatOnlyOneHas() throws IOException {
        Path a = write("a.json", result("A", round(counts(1000, 1, 2))));
        Path b = write(
                "b.json",
                result("A", round(counts(3000, 1, 1))),
                new Result("pop", server("A"), List.of(round(counts(1, 1, 1)))));
        assertThat(Comparison.of(a, b))
                .contains("push-1", "1,000", "3,000", "3.00", "0.50", "Only in B: pop")
                .doesNotContain("WAL", "Only in A");
    }

    @Test
    void comparison_otherFile_saysSo() throws IOException {
        Path other = Files.writeString(directory.resolve("other.json"), "{}");
        assertThatThrownBy(() -> Comparison.of(other, other)).hasMessageContaining("other.json is not a file of");
        assertThatThrownBy(() -> Comparison.of(directory.resolve("gone"), other))
                .hasMessageContaining("Cannot read");
    }

    private Path write(String name, Result... results) throws IOException {
        Path file = directory.resolve(name);
        Settings settings = new Settings();
        settings.warmup = Duration.ZERO;
        settings.duration = Duration.ofSeconds(1);
        ReportFile.write(file, settings, ReportFile.json(List.of(results)));
        return file;
    }

    private static String report(Result... results) {
        return new Report(ReportFile.json(List.of(results))).toString();
    }

    private static Result result(String name, Round... rounds) {
        return new Result("push-1", server(name), List.of(rounds));
    }

    private static ServerAddress server(String name) {
        return ServerAddress.of(name, "http://localhost:6632", null);
    }

    private static Round round(Counts counts) {
        return new Round(counts, new ResourceUsage(Map.of(), Map.of(), Map.of(), null), 0);
    }

    /** So many messages in so many seconds, in one request that took so many milliseconds. */
    private static Counts counts(long messages, double seconds, long millis) {
        Histogram nanos = new Histogram(3);
        nanos.recordValue(millis * 1_000_000);
        return new Counts(messages, 0, seconds, nanos, new TreeMap<>());
    }
}
