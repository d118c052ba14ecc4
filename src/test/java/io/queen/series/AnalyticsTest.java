package io.queen.series;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Sql;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class AnalyticsTest {
    private final SeriesSql series = new SeriesSql();

    private ValidatableResponse get(String name, int minutes, String... parameters) {
        var request = given().queryParam("from", series.at(0)).queryParam("to", series.at(minutes));
        for (int i = 0; i < parameters.length; i += 2) {
            request.queryParam(parameters[i], parameters[i + 1]);
        }
        return request.get("/api/v1/analytics/" + name).then().statusCode(200).contentType("application/json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "system-metrics",
                "worker-metrics",
                "queue-lag",
                "queue-ops",
                "queue-parked-replicas",
                "retention",
                "postgres-stats"
            })
    void series_withoutParameters_isJson(String name) {
        when().get("/api/v1/analytics/" + name).then().statusCode(200).contentType("application/json");
    }

    @Test
    void range_wrong_is400() {
        given().queryParam("from", "yesterday-ish")
                .get("/api/v1/analytics/worker-metrics")
                .then()
                .statusCode(400)
                .body("field", equalTo("from"));
    }

    @ParameterizedTest
    @CsvSource({"60, 1", "61, 5", "360, 5", "361, 15", "1440, 15", "1441, 60", "10080, 60", "10081, 360"})
    void width_anySpan_growsWithIt(int minutes, int width) {
        get("worker-metrics", minutes).body("bucketMinutes", equalTo(width));
    }

    @Test
    void workerMetrics_twoServers_areAddedUpNewestFirst() {
        series.bucket(1, "a", 60, 30);
        series.bucket(1, "b", 60, 0);
        series.bucket(2, "a", 6, 6);
        get("worker-metrics", 10)
                .body("timeRange.from", equalTo(series.at(0).replace("Z", ".000Z")))
                .body("pointCount", equalTo(2))
                .body("timeSeries.timestamp", equalTo(List.of(series.at(2), series.at(1))))
                .body("timeSeries.pushMessages", equalTo(List.of(6, 120)))
                .body("timeSeries[1].pushPerSecond", equalTo(2.0f))
                .body("timeSeries[1].avgLagMs", equalTo(10))
                .body("timeSeries[1].maxLagMs", equalTo(25))
                .body("timeSeries[1].jobsDone", equalTo(6))
                .body("timeSeries[1].dbErrors", equalTo(2))
                .body("workers.hostname", equalTo(List.of("a", "b")))
                .body("workers[0].messagesProcessed", equalTo(66 + 36 + 36))
                .body("workers[0].lastSeen", equalTo(series.at(2)))
                .body("queues.find { it.queueName == '" + series.queue + "' }.popCount", equalTo(36))
                .body("summary.totalPushMessages", equalTo(126))
                .body("summary.totalPushRequests", equalTo(3))
                .body("summary.pendingMessages", notNullValue());
    }

    @Test
    void workerMetrics_oneHost_isItsOwn() {
        series.bucket(1, "a", 60, 30);
        series.bucket(1, "b", 7, 0);
        get("worker-metrics", 10, "hostname", "b").body("summary.totalPushMessages", equalTo(7));
        get("worker-metrics", 10, "workerId", "9").body("timeSeries", hasSize(0));
    }

    @Test
    void systemMetrics_severalMinutes_oldestFirstPerServer() {
        series.bucket(2, "b", 1, 1);
        series.bucket(1, "b", 1, 1);
        series.bucket(1, "a", 1, 1);
        get("system-metrics", 10)
                .body("replicaCount", equalTo(2))
                .body("pointCount", equalTo(2))
                .body("replicas.hostname", equalTo(List.of("a", "b")))
                .body("replicas[1].port", equalTo(6632))
                .body("replicas[1].timeSeries.timestamp", equalTo(List.of(series.at(1), series.at(2))))
                .body("replicas[1].timeSeries[0].sampleCount", equalTo(60))
                .body("replicas[1].timeSeries[0].metrics.cpu.user_us.avg", equalTo(2.0f))
                .body("replicas[1].timeSeries[0].metrics.memory.rss_bytes.max", equalTo(4.0f))
                .body("replicas[1].timeSeries[0].metrics.database.pool_size.last", equalTo(3.0f))
                .body("replicas[1].timeSeries[0].metrics.registries.response.min", equalTo(1.0f));
    }

    @Test
    void queueLag_oneQueue_newestFirst() {
        series.bucket(1, "a", 0, 10);
        series.bucket(2, "a", 5, 0);
        series.bucket(3, "a", 0, 10);
        get("queue-lag", 10, "queue", series.queue)
                .body("bucketTime", equalTo(List.of(series.at(3), series.at(1))))
                .body("[0].queueName", equalTo(series.queue))
                .body("[0].popCount", equalTo(10))
                .body("[0].avgLagMs", equalTo(10))
                .body("[0].maxLagMs", equalTo(25));
    }

    @Test
    void queueOps_wideSpan_addsMinutesUp() {
        series.bucket(0, "a", 100, 50);
        series.bucket(4, "a", 200, 50);
        series.bucket(5, "b", 300, 0);
        get("queue-ops", 120, "queue", series.queue)
                .body("bucketMinutes", equalTo(5))
                .body("queues", equalTo(List.of(series.queue)))
                .body("series.bucket", equalTo(List.of(series.at(0), series.at(5))))
                .body("series.pushMessages", equalTo(List.of(300, 300)))
                .body("series[0].pushPerSecond", equalTo(1.0f))
                .body("series[0].popEmpty", equalTo(4))
                .body("series[0].parkedCount", equalTo(3))
                .body("series[0].partitionCount", equalTo(0));
        get("queue-ops", 120, "queue", series.queue + "-other").body("series", hasSize(0));
    }

    @Test
    void parked_twoServers_areApart() {
        series.bucket(1, "a", 1, 1);
        series.bucket(1, "b", 1, 1);
        get("queue-parked-replicas", 10, "queue", series.queue)
                .body("series.hostname", equalTo(List.of("a", "b")))
                .body("series.parkedCount", equalTo(List.of(3, 3)))
                .body("replicas.hostname", hasItems("a", "b"));
    }

    @Test
    void retention_runsOfAQueue_areSummed() {
        try (Sql sql = Sql.open()) {
            String insert =
                    "insert into queen.retention_history (executed_at, queue_name, kind, deleted_count) values (?, ?, ?, ?)";
            sql.run(insert, series.day.plusMinutes(1), series.queue, "retention", 5);
            sql.run(insert, series.day.plusMinutes(1), series.queue, "completed", 3);
            sql.run(insert, series.day.plusMinutes(2), series.queue, "eviction", 2);
        }
        get("retention", 10, "queue", series.queue)
                .body("series.bucket", equalTo(List.of(series.at(1), series.at(2))))
                .body("series[0].retentionMsgs", equalTo(5))
                .body("series[0].completedRetentionMsgs", equalTo(3))
                .body("series[0].totalMsgs", equalTo(8))
                .body("series[1].evictionMsgs", equalTo(2))
                .body("totals.totalMsgs", equalTo(10))
                .body("totals.eventCount", equalTo(3));
    }

    @Test
    void postgresStats_always_tellsOfTheTables() {
        when().get("/api/v1/analytics/postgres-stats")
                .then()
                .statusCode(200)
                .body("database", notNullValue())
                .body("databaseCache.cacheHits", notNullValue())
                .body("tableSizes.table", hasItems("messages", "partitions"))
                .body("hotUpdates.table", hasItem("partition_consumers"))
                .body("bufferConfig.sharedBuffers", notNullValue());
    }

    @Test
    void postgresStats_always_tellsOfTheServer() {
        when().get("/api/v1/analytics/postgres-stats")
                .then()
                .statusCode(200)
                .body("version", matchesPattern("[0-9]+.*"))
                .body("inRecovery", equalTo(false))
                .body("databaseSizeBytes", greaterThan(1_000_000))
                .body("databaseSize", notNullValue())
                .body("connections.max", greaterThan(1))
                .body("connections.total", greaterThan(0))
                .body("connections.byState.active", greaterThan(0))
                .body("replication.standbys", notNullValue())
                .body("replication.slots", notNullValue())
                .body("$", hasKey("longestTransaction"))
                .body("$", hasKey("slowestStatements"));
    }

    @Test
    void postgresStats_transactionThatIsOpen_isShown() {
        try (Sql sql = Sql.open()) {
            sql.run("begin");
            sql.run("select 'an open transaction'");
            when().get("/api/v1/analytics/postgres-stats")
                    .then()
                    .body("longestTransaction.seconds", notNullValue())
                    .body("longestTransaction.startedAt", notNullValue());
            sql.run("rollback");
        }
    }

    @Test
    void postgresStats_whatTheRoleMayNotAsk_isNull() {
        try (Sql sql = Sql.open()) {
            sql.run("begin");
            sql.run("create role stats_test");
            sql.run("grant usage on schema queen to stats_test");
            sql.run("revoke execute on function pg_current_wal_lsn() from public");
            sql.run("set local role stats_test");
            String stats = sql.text("select queen.postgres_stats_v1()::text");
            assertThat(stats).contains("\"replication\": null", "\"inRecovery\": false", "\"slowestStatements\": null");
            sql.run("rollback");
        }
    }
}
