package io.queen.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Who is woken by an alert finds what to do. */
class RunbookTest {
    private static final Path FILE = Path.of("docs/runbooks.md");
    private static final Pattern SECTION = Pattern.compile("(?m)^## (.+)\n((?:(?!## ).*\n?)*)");

    private static List<JsonNode> alerts() {
        List<JsonNode> alerts = new ArrayList<>();
        Manifests.read(Manifests.DIRECTORY.resolve("monitoring/prometheusrule.yaml"))
                .findValue("rules")
                .forEach(alerts::add);
        return alerts;
    }

    private static List<MatchResult> sections() throws IOException {
        return SECTION.matcher(Files.readString(FILE)).results().toList();
    }

    /** As a heading becomes an anchor. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    @Test
    void alert_always_linksToItsRunbook() throws IOException {
        List<String> anchors =
                sections().stream().map(section -> anchor(section.group(1))).toList();
        assertThat(alerts()).isNotEmpty().allSatisfy(alert -> {
            String[] link = alert.at("/annotations/runbook_url").asText().split("#", -1);
            assertThat(link).hasSize(2);
            assertThat(Path.of(link[0])).isEqualTo(FILE);
            assertThat(link[1])
                    .isIn(anchors)
                    .isEqualTo(anchor(alert.path("alert").asText()));
        });
    }

    @Test
    void runbook_always_saysWhatItMeansWhatToLookAtAndWhatToDo() throws IOException {
        assertThat(sections())
                .hasSameSizeAs(alerts())
                .allSatisfy(section -> assertThat(section.group(2)).contains("**Means**", "**Look at**", "**Do**"));
    }

    /** What a server needs to tell when nobody can push: its database, its buffer and its disk. */
    @Test
    void alerts_ofWhatHoldsUpPushes_areThere() {
        assertThat(alerts().stream().map(alert -> alert.path("alert").asText()))
                .contains("QueenDatabaseAway", "QueenBufferFills", "QueenDiskFills");
    }
}
