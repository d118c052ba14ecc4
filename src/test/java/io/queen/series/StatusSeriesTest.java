package io.queen.series;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
class StatusSeriesTest {
    private final SeriesSql series = new SeriesSql();

    @Test
    void status_oneQueue_tellsItsMessagesLeasesAndThroughput() {
        try (Sql sql = Sql.open()) {
            Partitions partitions = new Partitions(sql);
            UUID partition = partitions.push(series.queue, "p", 10);
            sql.run(
                    "insert into queen.partition_consumers (partition_id, consumer_group, cursor, total_consumed) values (?, 'g', 3, 3)",
                    partition);
            partitions.lease(partition, "g", 5);
            sql.run(
                    "insert into queen.dead_letters (partition_id, consumer_group, seq, message_id, transaction_id, error_message)"
                            + " values (?, 'g', 1, gen_random_uuid(), 'm1', 'broken')",
                    partition);
        }
        series.bucket(1, "a", 60, 30);
        given().queryParam("from", series.at(0))
                .queryParam("to", series.at(60))
                .queryParam("queue", series.queue)
                .get("/api/v1/status")
                .then()
                .statusCode(200)
                .body("bucketMinutes", equalTo(1))
                .body("pointCount", equalTo(1))
                .body("throughput[0].timestamp", equalTo(series.at(1)))
                .body("throughput[0].ingested", equalTo(60))
                .body("throughput[0].ingestedPerSecond", equalTo(1.0f))
                .body("throughput[0].processed", equalTo(30))
                .body("queues.name", equalTo(List.of(series.queue)))
                .body("queues[0].namespace", equalTo("series"))
                .body("queues[0].totalConsumed", equalTo(3))
                .body("messages.total", equalTo(10))
                .body("messages.pending", equalTo(5))
                .body("messages.processing", equalTo(2))
                .body("messages.completed", equalTo(3))
                .body("messages.deadLetter", equalTo(1))
                .body("messages.requests.push", equalTo(1))
                .body("messages.batchEfficiency.push", equalTo(60.0f))
                .body("leases.active", equalTo(1))
                .body("leases.totalBatchSize", equalTo(2))
                .body("deadLetterQueue.topErrors[0].error", equalTo("broken"))
                .body("workers.hostname", equalTo(List.of("a")))
                .body("errors.dbErrors", equalTo(1));
    }

    @Test
    void status_withoutParameters_isTheLastHour() {
        when().get("/api/v1/status")
                .then()
                .statusCode(200)
                .body("bucketMinutes", equalTo(1))
                .body("messages.total", notNullValue())
                .body("statsAge", equalTo(0));
    }

    @Test
    void analytics_hours_areWithoutGaps() {
        try (Sql sql = Sql.open()) {
            new Partitions(sql).push(series.queue, "p", 1);
        }
        series.bucket(10, "a", 4, 0);
        series.bucket(20, "b", 5, 0);
        series.bucket(190, "a", 6, 0);
        given().queryParam("from", series.at(0))
                .queryParam("to", series.at(239))
                .queryParam("queue", series.queue)
                .get("/api/v1/status/analytics")
                .then()
                .statusCode(200)
                .body("interval", equalTo("hour"))
                .body(
                        "dataPoints.timestamp",
                        equalTo(List.of(series.at(0), series.at(60), series.at(120), series.at(180))))
                .body("dataPoints.messages", equalTo(List.of(9, 0, 0, 6)));
    }

    @Test
    void analytics_noQueueMatches_isZeros() {
        series.bucket(1, "a", 4, 0);
        given().queryParam("from", series.at(0))
                .queryParam("to", series.at(9))
                .queryParam("interval", "minute")
                .queryParam("namespace", series.queue)
                .get("/api/v1/status/analytics")
                .then()
                .statusCode(200)
                .body("dataPoints", hasSize(10))
                .body("dataPoints.messages", everyItem(equalTo(0)));
    }

    @Test
    void analytics_allQueues_isWhatTheServersStored() {
        series.bucket(1, "a", 4, 0);
        series.bucket(1, "b", 5, 0);
        given().queryParam("from", series.at(0))
                .queryParam("to", series.at(2))
                .queryParam("interval", "day")
                .get("/api/v1/status/analytics")
                .then()
                .statusCode(200)
                .body("dataPoints.messages", equalTo(List.of(9)));
    }

    @Test
    void analytics_unknownInterval_is400() {
        when().get("/api/v1/status/analytics?interval=week")
                .then()
                .statusCode(400)
                .body("field", equalTo("interval"));
    }
}
