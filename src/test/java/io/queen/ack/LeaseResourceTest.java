package io.queen.ack;

import static io.queen.testing.Client.post;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.restassured.response.ValidatableResponse;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class LeaseResourceTest {
    private static final String MILLIS = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final UUID partition = partitions.filled(3, 1);

    @Test
    void extend_live_answersEverySpelling() {
        UUID lease = partitions.lease(partition, "g", 1, 10);
        String expiresAt = extend(lease, "{\"seconds\":500}")
                .statusCode(200)
                .body("index", equalTo(0))
                .body("leaseId", equalTo(lease.toString()))
                .body("success", equalTo(true))
                .body("error", nullValue())
                .body("expiresAt", matchesPattern(MILLIS))
                .extract()
                .path("expiresAt");
        assertThat(secondsLeft()).isBetween(480L, 500L);
        extend(lease, "{\"seconds\":1}")
                .body("newExpiresAt", equalTo(expiresAt))
                .body("lease_expires_at", equalTo(expiresAt));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "", "{\"seconds\":null}", "{\"seconds\":\"60\"}", "{\"other\":[1]}"})
    void extend_secondsNotSaid_isOneMinute(String body) {
        extend(partitions.lease(partition, "g", 1, 10), body).statusCode(200);
        assertThat(secondsLeft()).isBetween(50L, 60L);
    }

    @Test
    void extend_noBodyAndNoContentType_isOneMinute() {
        UUID lease = partitions.lease(partition, "g", 1, 10);
        given().post("/api/v1/lease/" + lease + "/extend").then().statusCode(200);
        assertThat(secondsLeft()).isBetween(50L, 60L);
    }

    @Test
    void extend_unknown_is404() {
        extend(UUID.randomUUID(), "{}").statusCode(404).body("code", equalTo("LEASE_NOT_FOUND"));
        post("/api/v1/lease/nonsense/extend", "{}").statusCode(404).body("code", equalTo("LEASE_NOT_FOUND"));
    }

    @Test
    void extend_expired_is410AndStaysExpired() {
        UUID lease = partitions.lease(partition, "g", 1, -5);
        extend(lease, "{}").statusCode(410).body("code", equalTo("LEASE_EXPIRED"));
        assertThat(secondsLeft()).isNegative();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"seconds\":0}",
                "{\"seconds\":-1}",
                "{\"seconds\":1.5}",
                "{\"seconds\":\"soon\"}",
                "{\"seconds\":99999999999}",
                "[1]",
                "7",
                "{\"sec"
            })
    void extend_bad_is400(String body) {
        extend(partitions.lease(partition, "g", 1, 10), body).statusCode(400);
    }

    private static ValidatableResponse extend(UUID lease, String body) {
        return post("/api/v1/lease/" + lease + "/extend", body);
    }

    private long secondsLeft() {
        return sql.number(
                "select round(extract(epoch from lease_expires_at - clock_timestamp())) from queen.partition_consumers"
                        + " where partition_id = ?",
                partition);
    }
}
