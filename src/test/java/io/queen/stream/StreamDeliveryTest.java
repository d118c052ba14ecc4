package io.queen.stream;

import static io.queen.stream.Streams.GROUP;
import static io.queen.stream.Streams.ack;
import static io.queen.stream.Streams.cycle;
import static io.queen.stream.Streams.ops;
import static io.queen.stream.Streams.upsert;
import static io.queen.testing.Client.item;
import static io.queen.testing.Client.post;
import static io.queen.testing.Client.push;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a worker is given by its next pop, after a cycle that acked all of its batch, a part of it, or a dead letter. */
@QuarkusTest
class StreamDeliveryTest {
    private static final String KEEP = ",\"release_lease\":false";

    private final String source = Partitions.name("source");
    private UUID query;

    /** A batch that was popped. */
    private record Batch(UUID partition, UUID lease, List<String> ids) {}

    @BeforeEach
    void fill() {
        push(item(source, "p", "m1", "1"), item(source, "p", "m2", "2"), item(source, "p", "m3", "3"))
                .statusCode(201);
        query = Streams.query(source);
    }

    @Test
    void tail_ofABatchWhoseLeaseIsKept_comesAgainInOrderWhenItExpires() {
        shortLeases();
        Batch batch = popped();
        assertThat(batch.ids()).containsExactly("m1", "m2", "m3");
        cycle(query, batch.partition(), ops(upsert("k", "1")), ack("m1", batch.lease(), ""), KEEP)
                .body("success", equalTo(true))
                .body("ack_result.lease_released", equalTo(false));
        assertThat(pop().statusCode()).isEqualTo(204);
        Batch tail = awaitPopped();
        assertThat(tail.ids()).containsExactly("m2", "m3");
        cycle(query, batch.partition(), ack("m3", batch.lease(), ""))
                .body("success", equalTo(false))
                .body("error", equalTo("Invalid or expired lease"));
        assertAllDone(tail, "m3");
    }

    @Test
    void tail_ofABatchWhoseLeaseEnds_comesAgainAtOnce() {
        Batch batch = popped();
        cycle(query, batch.partition(), ack("m2", batch.lease(), "")).body("success", equalTo(true));
        Batch tail = popped();
        assertThat(tail.ids()).containsExactly("m3");
        assertAllDone(tail, "m3");
    }

    @Test
    void deadLetters_redriven_arePoppedAndAckedByCycles() {
        buried("m1", "m2");
        assertAllDone(popped(), "m3");
        redrive(2);
        Batch again = popped();
        assertThat(again.ids()).containsExactly("m1", "m2");
        assertAllDone(again, "m2");
    }

    @Test
    void deadLetters_redrivenAndAckedInPart_theRestComesAgainAtOnce() {
        buried("m1", "m2");
        assertAllDone(popped(), "m3");
        redrive(2);
        Batch again = popped();
        cycle(query, again.partition(), ops(upsert("k", "1")), ack("m1", again.lease(), ""))
                .body("success", equalTo(true));
        Batch rest = popped();
        assertThat(rest.ids()).containsExactly("m2");
        assertAllDone(rest, "m2");
    }

    @Test
    void deadLetters_redrivenWithALeaseThatIsKept_comeAgainWhenItExpires() {
        buried("m1", "m2");
        assertAllDone(popped(), "m3");
        redrive(2);
        shortLeases();
        Batch again = popped();
        cycle(query, again.partition(), ack("m1", again.lease(), ""), KEEP)
                .body("success", equalTo(true))
                .body("ack_result.lease_released", equalTo(false));
        Batch rest = awaitPopped();
        assertThat(rest.ids()).containsExactly("m2");
        assertAllDone(rest, "m2");
    }

    @Test
    void deadLetter_redrivenAndFailedAgain_isADeadLetterAgain() {
        buried("m1");
        assertAllDone(popped(), "m3");
        redrive(1);
        Batch again = popped();
        cycle(query, again.partition(), ack("m1", again.lease(), ",\"status\":\"failed\""), KEEP)
                .body("ack_result.dlq", equalTo(true))
                .body("ack_result.lease_released", equalTo(true));
        assertThat(pop().statusCode()).isEqualTo(204);
        redrive(1);
    }

    /** Each popped and dead-lettered by a cycle of its own, which says that the lease is to be kept: it ends all the same. */
    private void buried(String... ids) {
        for (String id : ids) {
            Batch batch = popped();
            assertThat(batch.ids()).startsWith(id);
            cycle(query, batch.partition(), ack(id, batch.lease(), ",\"status\":\"dlq\",\"error\":\"bad\""), KEEP)
                    .body("success", equalTo(true))
                    .body("ack_result.lease_released", equalTo(true));
        }
    }

    private void redrive(int letters) {
        post("/api/v1/dlq/redrive?queue=" + source + "&consumerGroup=" + GROUP, "")
                .statusCode(200)
                .body("redriven", equalTo(letters));
    }

    private void assertAllDone(Batch batch, String last) {
        cycle(query, batch.partition(), ops(upsert("k", "2")), ack(last, batch.lease(), ""))
                .body("success", equalTo(true))
                .body("ack_result.lease_released", equalTo(true));
        assertThat(pop().statusCode()).isEqualTo(204);
    }

    /** From the next pop on: long enough for the cycle after it, on a busy machine. */
    private void shortLeases() {
        post("/api/v1/configure", "{\"queue\":\"" + source + "\",\"options\":{\"leaseTime\":3}}")
                .statusCode(200);
    }

    private Batch awaitPopped() {
        return batch(await().atMost(Duration.ofSeconds(30)).until(this::pop, answer -> answer.statusCode() == 200));
    }

    private Batch popped() {
        return batch(pop());
    }

    private static Batch batch(Response answer) {
        assertThat(answer.statusCode()).isEqualTo(200);
        return new Batch(
                UUID.fromString(answer.path("messages[0].partitionId")),
                UUID.fromString(answer.path("messages[0].leaseId")),
                answer.path("messages.transactionId"));
    }

    private Response pop() {
        return given().get("/api/v1/pop/queue/" + source + "?batch=10&consumerGroup=" + GROUP);
    }
}
