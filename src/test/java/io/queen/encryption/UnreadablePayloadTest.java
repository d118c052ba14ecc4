package io.queen.encryption;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.queen.testing.UnusualSettings;
import io.restassured.response.Response;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that were encrypted with another key than the server has: no consumer may take them for data. */
@QuarkusTest
@TestProfile(UnusualSettings.class)
class UnreadablePayloadTest {
    private static final String SEALED = "{\"encrypted\":\"AAAA\",\"iv\":\"AAAA\",\"authTag\":\"AAAA\"}";

    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("unreadable");

    @BeforeEach
    void encrypted() {
        Pops.configure(queue, Map.of("encryptionEnabled", true));
        Pops.push(queue, "p", 1, 2, 3);
    }

    @Test
    void pop_firstUnreadable_saysSoAndGivesNothing() {
        spoil(1);
        unreadable(Pops.pop(queue, "batch", 10), "t1");
        assertThat(Pops.pop(queue, "batch", 10).statusCode()).as("it rests").isEqualTo(204);
        assertThat(partitions.cursor(partition(), "__QUEUE_MODE__")).isZero();
        assertThat(sql.number(
                        "select count(*) from queen.partition_consumers where partition_id = ?"
                                + " and lease_expires_at < now() + interval '6 s'",
                        partition()))
                .isEqualTo(1);
    }

    @Test
    void pop_laterUnreadable_givesWhatIsBeforeIt() {
        spoil(3);
        Response popped = Pops.pop(queue, "batch", 10);
        assertThat(Pops.data(popped)).containsExactly(1, 2);
        Pops.ack(popped, "completed");
        assertThat(partitions.consumer(partition(), "__QUEUE_MODE__")).containsEntry("lease_id", null);
        unreadable(Pops.pop(queue, "batch", 10), "t3");
    }

    @Test
    void pop_keyIsRightAgain_goesOnInOrder() {
        String good = sql.text("select payload from queen.messages where partition_id = ? and seq = 1", partition());
        spoil(1);
        unreadable(Pops.pop(queue, "batch", 10), "t1");
        sql.run("update queen.messages set payload = ? where partition_id = ? and seq = 1", good, partition());
        sql.run("update queen.partition_consumers set lease_expires_at = now() where partition_id = ?", partition());
        assertThat(Pops.data(Pops.popPartition(queue, "p", "batch", 10))).containsExactly(1, 2, 3);
    }

    @Test
    void pop_payloadsOfTwoMessagesSwapped_saysSoAndGivesNothing() {
        sql.run(
                "update queen.messages m set payload = o.payload from queen.messages o where m.partition_id = ?"
                        + " and o.partition_id = m.partition_id and m.seq in (1, 2) and o.seq = 3 - m.seq",
                partition());
        Response popped = Pops.pop(queue, "batch", 10);
        unreadable(popped, "t1");
        popped.then().body("error", containsString("for another message"));
        given().get("/api/v1/messages/{p}/t2", partition())
                .then()
                .statusCode(200)
                .body("payloadError", containsString("for another message"));
    }

    @Test
    void pop_keyIsMissing_namesIt() {
        sql.run(
                "update queen.messages set payload = ? where partition_id = ? and seq = 2",
                OtherKeys.lost("2", queue, "p", "t2"),
                partition());
        Response popped = Pops.pop(queue, "batch", 10);
        assertThat(Pops.data(popped)).containsExactly(1);
        Pops.ack(popped, "completed");
        popped = Pops.pop(queue, "batch", 10);
        unreadable(popped, "t2");
        popped.then().body("error", containsString("it needs the key lost"));
    }

    @Test
    void pop_oldKeyAndOldFormat_areOpened() {
        sql.run(
                "update queen.messages set payload = case seq when 1 then ? else ? end where partition_id = ? and seq < 3",
                OtherKeys.old("1", queue, "p", "t1"),
                OtherKeys.FIRST_FORMAT,
                partition());
        assertThat(Pops.data(Pops.pop(queue, "batch", 10))).containsExactly(1, 7, 3);
    }

    @Test
    void autoAck_unreadable_isADeadLetter() {
        spoil(2);
        assertThat(Pops.data(Pops.pop(queue, "batch", 10, "autoAck", true))).containsExactly(1, 3);
        given().get("/api/v1/dlq?queue=" + queue)
                .then()
                .body("total", equalTo(1))
                .body("messages[0].transactionId", equalTo("t2"))
                .body("messages[0].errorMessage", containsString("QUEEN_ENCRYPTION_KEY"));
    }

    @Test
    void metrics_unreadable_areCounted() {
        double before = counted();
        spoil(1);
        Pops.pop(queue);
        assertThat(counted()).isEqualTo(before + 1);
    }

    private static double counted() {
        return given().get("/metrics/prometheus")
                .asString()
                .lines()
                .filter(line -> line.startsWith("queen_payload_unreadable_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private static void unreadable(Response popped, String transaction) {
        popped.then()
                .statusCode(200)
                .body("success", equalTo(false))
                .body("code", equalTo("PAYLOAD_UNREADABLE"))
                .body("error", containsString(transaction))
                .body("messages", empty());
    }

    private void spoil(int seq) {
        sql.run("update queen.messages set payload = ? where partition_id = ? and seq = ?", SEALED, partition(), seq);
    }

    private UUID partition() {
        return partitions.id(queue, "p");
    }
}
