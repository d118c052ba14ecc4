package io.queen.admin.queue;

import static io.queen.testing.Client.post;
import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Client;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class ConfigureResourceTest {
    private static final String CONFIGURE = "/api/v1/configure";
    private static final Map<String, Object> DEFAULTS = Map.ofEntries(
            Map.entry("leaseTime", 300),
            Map.entry("retryLimit", 3),
            Map.entry("retryDelay", 0),
            Map.entry("retryBackoff", "fixed"),
            Map.entry("retryDelayMax", 3_600_000),
            Map.entry("retryJitter", 0),
            Map.entry("maxSize", 0),
            Map.entry("ttl", 3600),
            Map.entry("deadLetterQueue", false),
            Map.entry("dlqAfterMaxRetries", false),
            Map.entry("priority", 0),
            Map.entry("delayedProcessing", 0),
            Map.entry("windowBuffer", 0),
            Map.entry("retentionSeconds", 0),
            Map.entry("completedRetentionSeconds", 0),
            Map.entry("retentionEnabled", false),
            Map.entry("encryptionEnabled", false),
            Map.entry("maxWaitTimeSeconds", 0));

    @AutoClose
    private final Sql sql = Sql.open();

    private final String queue = Partitions.name("configured");

    @Test
    void configure_nameAlone_echoesAllDefaults() {
        String partition = configure("")
                .statusCode(200)
                .contentType("application/json")
                .body("configured", equalTo(true))
                .body("queueId", notNullValue())
                .body("queue", equalTo(queue))
                .body("namespace", equalTo(""))
                .body("task", equalTo(""))
                .body("options", equalTo(DEFAULTS))
                .extract()
                .path("partitionId");
        assertThat(new Partitions(sql).id(queue, "Default")).hasToString(partition);
    }

    @Test
    void configure_allOptions_echoesAndStoresThem() {
        String options = "{\"leaseTime\":1,\"retryLimit\":2,\"retryDelay\":3,\"retryBackoff\":\"exponential\","
                + "\"retryDelayMax\":13,\"retryJitter\":12,\"maxSize\":4,\"ttl\":5,"
                + "\"deadLetterQueue\":true,\"dlqAfterMaxRetries\":true,\"priority\":6,\"delayedProcessing\":7,"
                + "\"windowBuffer\":8,\"retentionSeconds\":9,\"completedRetentionSeconds\":10,"
                + "\"retentionEnabled\":true,\"encryptionEnabled\":true,\"maxWaitTimeSeconds\":11}";
        Map<String, Object> echoed = configure(",\"namespace\":\"n\",\"task\":\"t\",\"options\":" + options)
                .statusCode(200)
                .body("namespace", equalTo("n"))
                .body("task", equalTo("t"))
                .extract()
                .path("options");
        assertThat(echoed)
                .isEqualTo(io.restassured.path.json.JsonPath.from(options).getMap("$"));
        assertThat(sql.row("select * from queen.queues where name = ?", queue))
                .containsEntry("lease_time", 1)
                .containsEntry("retry_limit", 2)
                .containsEntry("retry_delay", 3)
                .containsEntry("retry_backoff", "exponential")
                .containsEntry("retry_delay_max", 13)
                .containsEntry("retry_jitter", 12)
                .containsEntry("max_size", 4)
                .containsEntry("ttl", 5)
                .containsEntry("dead_letter_queue", true)
                .containsEntry("dlq_after_max_retries", true)
                .containsEntry("priority", 6)
                .containsEntry("delayed_processing", 7)
                .containsEntry("window_buffer", 8)
                .containsEntry("retention_seconds", 9)
                .containsEntry("completed_retention_seconds", 10)
                .containsEntry("retention_enabled", true)
                .containsEntry("encryption_enabled", true)
                .containsEntry("max_wait_time_seconds", 11)
                .containsEntry("namespace", "n")
                .containsEntry("task", "t");
    }

    @Test
    void configure_again_replacesAllAndKeepsTheRest() {
        Map<String, String> first = configure(",\"namespace\":\"n\",\"options\":{\"leaseTime\":5,\"priority\":9}")
                .extract()
                .path("$");
        Client.push(Client.item(queue, "p", "t", "1")).statusCode(201);
        configure(",\"options\":{\"retryLimit\":7}")
                .body("namespace", equalTo(""))
                .body("queueId", equalTo(first.get("queueId")))
                .body("partitionId", equalTo(first.get("partitionId")))
                .body("options.leaseTime", equalTo(300))
                .body("options.priority", equalTo(0))
                .body("options.retryLimit", equalTo(7));
        assertThat(sql.number("select lease_time from queen.queues where name = ?", queue))
                .isEqualTo(300);
        assertThat(sql.number(
                        "select count(*) from queen.messages where partition_id = ?",
                        new Partitions(sql).id(queue, "p")))
                .isEqualTo(1);
    }

    @Test
    void configure_numbersAsText_areEchoedAsNumbers() {
        configure(",\"options\":{\"leaseTime\":\"30\",\"encryptionEnabled\":\"true\"}")
                .statusCode(200)
                .body("options.leaseTime", equalTo(30))
                .body("options.encryptionEnabled", equalTo(true));
    }

    @Test
    void configure_retentionWithoutTheFlag_isOn() {
        configure(",\"options\":{\"retentionSeconds\":5}").body("options.retentionEnabled", equalTo(true));
        configure(",\"options\":{\"retentionSeconds\":5,\"retentionEnabled\":false}")
                .body("options.retentionEnabled", equalTo(false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",\"namespace\":null,\"task\":null,\"options\":null",
                ",\"options\":[]",
                ",\"options\":{\"unknown\":[{}]}",
                ",\"options\":{},\"more\":1"
            })
    void configure_whatIsNotUsed_isIgnored(String rest) {
        configure(rest).statusCode(200).body("options", hasEntry("leaseTime", (Object) 300));
    }

    @Test
    void pop_leaseTimeOfALongYear_isServed() {
        configure(",\"options\":{\"leaseTime\":31536000}").statusCode(200);
        Client.push(Client.item(queue, "p", "t", "1")).statusCode(201);
        get("/api/v1/pop/queue/" + queue).then().statusCode(200).body("messages.size()", equalTo(1));
    }

    /** From before there was a range, or written by SQL. */
    @Test
    void pop_storedValuesBeyondTheRange_isServed() {
        configure("").statusCode(200);
        sql.run("update queen.queues set lease_time = 2147483647, retry_delay = 2147483647 where name = ?", queue);
        Client.push(Client.item(queue, "p", "t", "1")).statusCode(201);
        String partition = get("/api/v1/pop/queue/" + queue)
                .then()
                .statusCode(200)
                .body("messages.size()", equalTo(1))
                .extract()
                .path("partitionId");
        post("/api/v1/ack", "{\"transactionId\":\"t\",\"partitionId\":\"" + partition + "\",\"status\":\"failed\"}")
                .statusCode(200)
                .body("[0].success", equalTo(true));
        sql.run(
                "update queen.queues set window_buffer = 2147483647, delayed_processing = 2147483647 where name = ?",
                queue);
        Client.push(Client.item(queue, "other", "t", "1")).statusCode(201);
        get("/api/v1/pop/queue/" + queue).then().statusCode(204);
        get("/api/v1/pop/queue/" + queue + "/partition/other").then().statusCode(204);
    }

    @Test
    void configure_emptyName_isTaken() {
        post(CONFIGURE, "{\"queue\":\"\"}").statusCode(200).body("queue", equalTo(""));
    }

    @Test
    void configure_queueMadeByAPush_overwritesItsNamespace() {
        String dotted = "a.b." + queue;
        Client.push(Client.item(dotted, "Default", "t", "1")).statusCode(201);
        assertThat(sql.text("select namespace || '/' || task from queen.queues where name = ?", dotted))
                .isEqualTo("a/b");
        post(CONFIGURE, "{\"queue\":\"" + dotted + "\"}").statusCode(200);
        assertThat(sql.text("select namespace || '/' || task from queen.queues where name = ?", dotted))
                .isEqualTo("/");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|queue",
                "[]|queue",
                "{\"queue\":null}|queue",
                "{\"queue\":7}|queue",
                "{\"queue\":\"a\\u0000\"}|queue",
                "{\"queue\":\"q\",\"namespace\":\"\\u0000\"}|namespace",
                "{\"queue\":\"q\",\"namespace\":7}|namespace",
                "{\"queue\":\"q\",\"task\":{}}|task",
                "{\"queue\":\"q\",\"options\":[1]}|options",
                "{\"queue\":\"q\",\"options\":\"text\"}|options",
                "{\"queue\":\"q\",\"options\":{\"leaseTime\":-1}}|options.leaseTime",
                "{\"queue\":\"q\",\"options\":{\"leaseTime\":31536001}}|options.leaseTime",
                "{\"queue\":\"q\",\"options\":{\"leaseTime\":99999999999}}|options.leaseTime",
                "{\"queue\":\"q\",\"options\":{\"ttl\":\"soon\"}}|options.ttl",
                "{\"queue\":\"q\",\"options\":{\"retryBackoff\":\"exponential\"}}|options.retryBackoff",
                "{\"queue\":\"q\",\"options\":{\"retryBackoff\":\"linear\"}}|options.retryBackoff",
                "{\"queue\":\"q\",\"options\":{\"deadLetterQueue\":1}}|options.deadLetterQueue"
            })
    void configure_wrong_isToldByField(String body, String field) {
        post(CONFIGURE, body).statusCode(400).body("field", equalTo(field));
    }

    @Test
    void configure_nameTooLong_isTold() {
        post(CONFIGURE, "{\"queue\":\"" + "n".repeat(256) + "\"}")
                .statusCode(400)
                .body("field", equalTo("queue"));
    }

    @Test
    void configure_noBody_isTold() {
        post(CONFIGURE, "").statusCode(400).body("code", equalTo("EMPTY_BODY"));
    }

    private ValidatableResponse configure(String rest) {
        return post(CONFIGURE, "{\"queue\":\"" + queue + "\"" + rest + "}");
    }
}
