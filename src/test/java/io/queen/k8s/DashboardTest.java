package io.queen.k8s;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every query of the dashboard, the alerts and the autoscaler asks for figures that a server with some traffic gives. */
@QuarkusTest
class DashboardTest {
    private static final Path MONITORING = Manifests.DIRECTORY.resolve("monitoring");
    /** Labels in braces, texts, ranges and lists of labels are no figures. */
    private static final Pattern NO_FIGURES =
            Pattern.compile("\\{[^}]*}|\"[^\"]*\"|\\[[^]]*]|\\b(?:by|without|on|ignoring) *\\([^)]*\\)");

    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Set<String> FUNCTIONS =
            Set.of("sum", "max", "min", "avg", "rate", "increase", "delta", "absent", "e6");
    /** What makes one of the figures of all servers; without it an alert comes once for each. */
    private static final Pattern OVER_SERVERS = Pattern.compile("(sum|max|min|avg|absent)\\b.*");

    @Test
    void queries_always_nameFiguresThatExist() throws IOException {
        traffic();
        Set<String> asked = new TreeSet<>();
        for (String query : queries()) {
            Set<String> names = names(query);
            assertThat(names).as(query).isNotEmpty();
            asked.addAll(names);
        }
        // What is counted every few seconds comes with the next count.
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(scraped()).containsAll(asked));
    }

    @Test
    void alerts_always_areOneForAllServers() {
        assertThat(alerts()).isNotEmpty().allMatch(OVER_SERVERS.asMatchPredicate());
    }

    @Test
    void names_ofAQuery_areItsFigures() {
        assertThat(names("sum(a{<<.LabelMatchers>>}) by (<<.GroupBy>>)")).containsExactly("a");
        assertThat(names("sum by (op) (rate(a_total{op=\"b_total\"}[5m])) / max(c_sum) > 0"))
                .containsExactly("a_total", "c_sum");
    }

    private static List<String> queries() throws IOException {
        List<String> queries = new ArrayList<>();
        JsonNode dashboard =
                new ObjectMapper().readTree(MONITORING.resolve("dashboard.json").toFile());
        dashboard.findValues("expr").forEach(expression -> queries.add(expression.asText()));
        queries.addAll(alerts());
        Path autoscaled = Manifests.DIRECTORY.resolve("components/autoscaled");
        JsonNode adapter = Manifests.read(autoscaled.resolve("adapter-rules.yaml"));
        for (String field : List.of("seriesQuery", "metricsQuery")) {
            adapter.findValues(field).forEach(query -> queries.add(query.asText()));
        }
        queries.add(Manifests.read(autoscaled.resolve("horizontalpodautoscaler.yaml"))
                .findValue("metric")
                .path("name")
                .asText());
        return queries;
    }

    private static List<String> alerts() {
        return Manifests.read(MONITORING.resolve("prometheusrule.yaml")).findValues("expr").stream()
                .map(JsonNode::asText)
                .toList();
    }

    private static Set<String> names(String query) {
        Set<String> names = new TreeSet<>();
        Matcher name = NAME.matcher(NO_FIGURES.matcher(query).replaceAll(" "));
        while (name.find()) {
            if (!FUNCTIONS.contains(name.group())) {
                names.add(name.group());
            }
        }
        return names;
    }

    private static Set<String> scraped() {
        Set<String> names = new TreeSet<>();
        given().get("/metrics/prometheus")
                .then()
                .statusCode(200)
                .extract()
                .asString()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> names.add(line.split("[{ ]", 2)[0]));
        return names;
    }

    /** A group that has one message behind it and one before it. */
    private static void traffic() {
        String queue = "dashboard-" + UUID.randomUUID();
        given().contentType("application/json")
                .body("{\"items\":[{\"queue\":\"%1$s\",\"payload\":1},{\"queue\":\"%1$s\",\"payload\":2}]}"
                        .formatted(queue))
                .post("/api/v1/push")
                .then()
                .statusCode(201);
        given().queryParam("autoAck", true)
                .queryParam("consumerGroup", "g")
                .get("/api/v1/pop/queue/" + queue)
                .then()
                .statusCode(200);
    }
}
