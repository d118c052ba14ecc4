package io.queen.schedule;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Pops;
import io.queen.testing.RawBodies;
import io.queen.testing.Sql;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class ScheduleResourceTest {
    private static final String PATH = "/api/v1/schedules/{name}";
    private static final Duration EVENTUALLY = Duration.ofSeconds(30);

    private final String id = UUID.randomUUID().toString();
    private final String name = "nightly-" + id;
    private final String queue = "scheduled-" + id;

    /** A schedule of another test would go on firing. */
    @AfterEach
    void delete() {
        try (Sql sql = Sql.open()) {
            sql.rows("delete from queen.schedules where name like '%' || ? || '%'", id);
        }
    }

    private static ValidatableResponse put(String name, String body) {
        return given().config(RawBodies.CONFIG)
                .contentType("application/json")
                .body(body.getBytes(StandardCharsets.UTF_8))
                .put(PATH, name)
                .then();
    }

    private ValidatableResponse put(JsonObject body) {
        return put(name, body.encode());
    }

    private JsonObject hourly() {
        return new JsonObject().put("queue", queue).put("cron", "0 * * * *").put("payload", 1);
    }

    /** Due half an hour ago, and in half an hour: however long a test takes, nothing becomes due while it runs. */
    private JsonObject halfway(String missed) {
        Instant start = Instant.now().minus(60 * 1000 + 30, ChronoUnit.MINUTES).truncatedTo(ChronoUnit.SECONDS);
        return new JsonObject()
                .put("queue", queue)
                .put("intervalSeconds", 3600)
                .put("start", start.toString())
                .put("missed", missed)
                .put("payload", 1);
    }

    /** As if no server had run for some hours. */
    private void outage(int hours) {
        try (Sql sql = Sql.open()) {
            sql.rows(
                    "update queen.schedules set next_at = next_at - ? * interval '1 hour',"
                            + " look_at = case when not paused then now() end where name = ?",
                    hours,
                    name);
        }
    }

    private long stored() {
        try (Sql sql = Sql.open()) {
            return sql.number(
                    "select count(*) from queen.messages m join queen.partitions p on p.id = m.partition_id"
                            + " join queen.queues q on q.id = p.queue_id where q.name = ?",
                    queue);
        }
    }

    private Response get() {
        return given().get(PATH, name);
    }

    private void awaitNextInFuture() {
        await().atMost(EVENTUALLY)
                .until(() -> Instant.parse(get().<String>path("nextRunAt")).isAfter(Instant.now()));
    }

    @Test
    void put_new_isCreatedAndShown() {
        put(hourly().put("timeZone", "Europe/Berlin").put("partition", "p"))
                .statusCode(201)
                .body("name", equalTo(name))
                .body("queue", equalTo(queue))
                .body("partition", equalTo("p"))
                .body("cron", equalTo("0 * * * *"))
                .body("timeZone", equalTo("Europe/Berlin"))
                .body("missed", equalTo("last"))
                .body("paused", equalTo(false))
                .body("lastDueAt", nullValue())
                .body("lastRunAt", nullValue())
                .body("createdAt", notNullValue())
                .body("nextRuns", hasSize(5))
                .body("intervalSeconds", nullValue());
        List<String> next = get().path("nextRuns");
        assertThat(get().<String>path("nextRunAt")).isEqualTo(next.get(0));
        assertThat(Instant.parse(next.get(4)))
                .isEqualTo(Instant.parse(next.get(0)).plus(4, ChronoUnit.HOURS));
    }

    @Test
    void put_again_keepsWhatIsDue() {
        String first = put(halfway("all")).statusCode(201).extract().path("nextRunAt");
        JsonObject changed = halfway("all").put("payload", 2).put("missed", "none");
        changed.remove("start");
        put(changed).statusCode(200).body("nextRunAt", equalTo(first)).body("payload", equalTo(2));
        put(changed.put("intervalSeconds", 7200)).statusCode(200);
        assertThat(get().<String>path("nextRunAt")).isNotEqualTo(first);
    }

    @Test
    void put_paused_staysSoUntilItIsSaid() {
        put(hourly().put("paused", true)).body("paused", equalTo(true)).body("nextRunAt", nullValue());
        put(hourly()).statusCode(200).body("paused", equalTo(true));
        put(hourly().put("paused", false)).body("paused", equalTo(false)).body("nextRunAt", notNullValue());
    }

    @Test
    void fired_eachSecond_wakesAWaitingPopWithThePayloadAsItWas() throws Exception {
        var waiting = Pops.waiting(queue);
        put(name, "{\"queue\":\"" + queue + "\",\"intervalSeconds\":1,\"payload\":{ \"n\" : 1.50 }}")
                .statusCode(201);
        Response popped = waiting.get();
        assertThat(popped.asString()).contains("\"data\":{ \"n\" : 1.50 }");
        String transaction = Pops.message(popped, 0).getString("transactionId");
        assertThat(transaction).startsWith("schedule:" + name + ":20").endsWith("Z");
        Set<String> seen = new HashSet<>(Set.of(transaction));
        Pops.ack(popped, "completed");
        await().atMost(EVENTUALLY).until(() -> {
            Response next = Pops.pop(queue, "wait", true, "timeout", 5000, "autoAck", true);
            return seen.add(Pops.message(next, 0).getString("transactionId")) && seen.size() == 4;
        });
        get().then()
                .body("lastDueAt", notNullValue())
                .body("lastRunAt", notNullValue())
                .body("lastError", nullValue());
        assertThat(given().get("/metrics/prometheus").asString())
                .contains("queen_schedules_fired_total{result=\"queued\"")
                .contains("queen_schedules_late_seconds_count");
    }

    @ParameterizedTest
    @CsvSource({"none, 0", "last, 1", "all, 5"})
    void outage_overDueTimes_endsAsMissedSays(String missed, int messages) {
        put(halfway(missed)).statusCode(201);
        outage(5);
        awaitNextInFuture();
        assertThat(stored()).isEqualTo(messages);
    }

    @ParameterizedTest
    @CsvSource({"none, 0", "last, 1", "all, 5"})
    void pause_overDueTimes_endsAsMissedSays(String missed, int messages) {
        put(halfway(missed)).statusCode(201);
        given().post(PATH + "/pause", name).then().statusCode(200).body("paused", equalTo(true));
        outage(5);
        given().post(PATH + "/resume", name).then().statusCode(200).body("paused", equalTo(false));
        awaitNextInFuture();
        assertThat(stored()).isEqualTo(messages);
    }

    /** 240 in portions of 100, in order, none twice. */
    @Test
    void outage_long_isMadeUpForInOrder() {
        put(halfway("all")).statusCode(201);
        outage(240);
        awaitNextInFuture();
        List<String> ids = Pops.pop(queue, "batch", 1000).jsonPath().getList("messages.transactionId");
        assertThat(ids).hasSize(240).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void fire_queueFull_isTriedAgainUntilThereIsRoom() {
        Pops.configure(queue, Map.of("maxSize", 2));
        put(halfway("all")).statusCode(201);
        outage(3);
        await().atMost(EVENTUALLY)
                .untilAsserted(() -> get().then()
                        .body("lastError", containsString("max capacity of 2"))
                        .body("lastDueAt", notNullValue()));
        assertThat(stored()).isEqualTo(2);
        assertThat(Pops.data(Pops.pop(queue, "batch", 10, "autoAck", true))).hasSize(2);
        awaitNextInFuture();
        assertThat(stored()).isEqualTo(3);
        get().then().body("lastError", nullValue());
    }

    @Test
    void fire_transactionIdThereBefore_isNoSecondMessage() {
        put(halfway("all")).statusCode(201);
        outage(2);
        awaitNextInFuture();
        outage(2);
        awaitNextInFuture();
        assertThat(stored()).isEqualTo(2);
    }

    @Test
    void fire_queueDeleted_createsItAnew() {
        put(halfway("all")).statusCode(201);
        outage(1);
        awaitNextInFuture();
        given().delete("/api/v1/resources/queues/" + queue).then().statusCode(200);
        outage(2);
        awaitNextInFuture();
        assertThat(stored()).isEqualTo(2);
    }

    /** A transaction outside of Queen holds the partition of one schedule: the others fire. */
    @Test
    void fire_partitionHeld_holdsUpNoOther() {
        put(halfway("all").put("partition", "held")).statusCode(201);
        given().post(PATH + "/run", name).then().statusCode(200);
        String other = "other-" + name;
        try (Sql sql = Sql.open()) {
            sql.rows("begin");
            sql.rows(
                    "select from queen.partitions p join queen.queues q on q.id = p.queue_id where q.name = ? for update of p",
                    queue);
            outage(1);
            put(
                            other,
                            halfway("all")
                                    .put("queue", "other-" + queue)
                                    .put("intervalSeconds", 1)
                                    .encode())
                    .statusCode(201);
            await().atMost(EVENTUALLY).until(() -> given().get(PATH, other).path("lastDueAt") != null);
            assertThat(get().<String>path("lastDueAt")).isNull();
            sql.rows("rollback");
        }
        awaitNextInFuture();
        assertThat(stored()).isEqualTo(2);
    }

    /** A row that a server can't read must not keep the others from firing. */
    @Test
    void fire_unknownTimeZone_saysSo() {
        put(hourly()).statusCode(201);
        try (Sql sql = Sql.open()) {
            sql.rows("update queen.schedules set time_zone = 'Mars/Olympus', look_at = now() where name = ?", name);
        }
        await().atMost(EVENTUALLY)
                .until(
                        () -> given().get("/api/v1/schedules?prefix=" + name).path("schedules[0].lastError"),
                        error -> error != null && error.toString().contains("timeZone"));
    }

    @Test
    void run_pausedOrNot_pushesOncePerRequest() {
        put(hourly().put("paused", true)).statusCode(201);
        String first = given().post(PATH + "/run", name)
                .then()
                .statusCode(200)
                .body("queue", equalTo(queue))
                .body("partition", equalTo("Default"))
                .body("transactionId", startsWith("schedule:" + name + ":"))
                .extract()
                .path("messageId");
        String second = given().post(PATH + "/run", name).path("messageId");
        assertThat(second).isNotEqualTo(first);
        assertThat(Pops.data(Pops.pop(queue, "batch", 10))).containsExactly(1, 1);
        get().then().body("lastRunAt", notNullValue()).body("lastDueAt", nullValue());
    }

    @Test
    void headers_always_goWithTheMessage() {
        put(hourly().put("headers", new JsonObject().put("trace", "t-1")))
                .statusCode(201)
                .body("headers.trace", equalTo("t-1"));
        given().post(PATH + "/run", name).then().statusCode(200);
        Pops.pop(queue).then().body("messages[0].headers.trace", equalTo("t-1"));
    }

    @Test
    void run_queueFull_isAConflict() {
        Pops.configure(queue, Map.of("maxSize", 1));
        put(hourly()).statusCode(201);
        given().post(PATH + "/run", name).then().statusCode(200);
        given().post(PATH + "/run", name).then().statusCode(409).body("error", containsString("max capacity"));
    }

    @Test
    void list_always_isByNameWithoutPayload() {
        for (String each : List.of("b-", "a-", "c-")) {
            put(each + name, hourly().encode()).statusCode(201);
        }
        given().get("/api/v1/schedules?queue=" + queue)
                .then()
                .statusCode(200)
                .body("schedules.name", contains("a-" + name, "b-" + name, "c-" + name))
                .body("schedules[0].nextRunAt", notNullValue())
                .body("schedules[0].payload", nullValue());
        given().get("/api/v1/schedules?limit=1&offset=1&queue=" + queue)
                .then()
                .body("schedules.name", contains("b-" + name));
        given().get("/api/v1/schedules?prefix=c-" + name).then().body("schedules.name", contains("c-" + name));
        given().get("/api/v1/schedules?prefix=%25&queue=" + queue).then().body("schedules", empty());
    }

    @Test
    void delete_known_isGoneForAll() {
        put(hourly()).statusCode(201);
        given().delete(PATH, name).then().statusCode(200).body("deleted", equalTo(true));
        get().then().statusCode(404).body("code", equalTo("SCHEDULE_NOT_FOUND"));
        given().delete(PATH, name).then().statusCode(404);
        for (String act : List.of("pause", "resume", "run")) {
            given().post(PATH + "/" + act, name).then().statusCode(404).body("code", equalTo("SCHEDULE_NOT_FOUND"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"cron":"@daily"}                                         | queue
                    {"queue":5,"cron":"@daily"}                               | queue
                    {"queue":"q"}                                             | cron
                    {"queue":"q","cron":"@daily","intervalSeconds":5}         | cron
                    {"queue":"q","cron":"0 0 30 2 *"}                         | cron
                    {"queue":"q","cron":"61 * * * *"}                         | cron
                    {"queue":"q","cron":5}                                    | cron
                    {"queue":"q","cron":"@daily","timeZone":"Nowhere"}        | timeZone
                    {"queue":"q","intervalSeconds":5,"timeZone":"UTC"}        | timeZone
                    {"queue":"q","cron":"@daily","start":"2026-01-01"}        | start
                    {"queue":"q","intervalSeconds":5,"start":"tomorrow"}      | start
                    {"queue":"q","intervalSeconds":0}                         | intervalSeconds
                    {"queue":"q","intervalSeconds":-1}                        | intervalSeconds
                    {"queue":"q","intervalSeconds":1.5}                       | intervalSeconds
                    {"queue":"q","intervalSeconds":[1]}                       | intervalSeconds
                    {"queue":"q","intervalSeconds":99999999999}               | intervalSeconds
                    {"queue":"q","cron":"@daily","missed":"some"}             | missed
                    {"queue":"q","cron":"@daily","paused":"maybe"}            | paused
                    {"queue":"q","cron":"@daily","partition":{}}              | partition
                    {"queue":"q","cron":"@daily","headers":[1]}               | headers
                    {"queue":"q","cron":"@daily","headers":{"a":1}}           | headers.a
                    []                                                        | queue
                    """)
    void put_wrong_isRefusedByField(String body, String field) {
        put(name, body).statusCode(400).body("field", equalTo(field));
        get().then().statusCode(404);
    }

    @Test
    void put_unknownField_isTold() {
        put(hourly().put("crom", "x")).statusCode(201).header("Warning", containsString("crom"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "..;", "ü'\"; drop table queen.schedules; --", "%", "a/b", "😀"})
    void name_unusual_isKept(String start) {
        String unusual = start + " " + id;
        put(unusual, hourly().encode()).statusCode(201).body("name", equalTo(unusual));
        given().post(PATH + "/run", unusual)
                .then()
                .statusCode(200)
                .body("transactionId", startsWith("schedule:" + unusual + ":"));
        given().delete(PATH, unusual).then().statusCode(200);
    }

    @Test
    void name_tooLong_isRefused() {
        String longest = id + "x".repeat(200 - id.length());
        put(longest, hourly().encode()).statusCode(201);
        given().post(PATH + "/run", longest).then().statusCode(200);
        put(longest + "x", hourly().encode()).statusCode(400).body("field", equalTo("name"));
        put("\0" + id, hourly().encode()).statusCode(400).body("field", equalTo("name"));
    }

    @Test
    void audit_always_namesTheScheduleWithoutItsPayload() {
        put(hourly().put("payload", "secret-" + id)).statusCode(201);
        given().post(PATH + "/pause", name).then().statusCode(200);
        await().atMost(EVENTUALLY).untilAsserted(() -> {
            String acts = given().get("/api/v1/audit?limit=1000").asString();
            assertThat(acts).contains("pauseSchedule", "putSchedule", name).doesNotContain("secret-" + id);
        });
    }
}
