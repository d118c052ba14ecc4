package io.queen.pop;

import static io.queen.testing.Client.item;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Client;
import io.queen.testing.Pops;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pops of messages that are too large for one answer: 16 MB by default. */
@QuarkusTest
class PopBytesTest {
    private static final String LARGE = '"' + "x".repeat(6 << 20) + '"';

    private final String queue = Pops.queue();

    @Test
    void pop_moreThanFits_isCutOffAndTheRestComesNext() {
        push("p", "a", "b", "c", "d");
        Response first = Pops.pop(queue, "batch", 10);
        assertThat(ids(first)).containsExactly("a", "b", "c");
        assertThat(Pops.pop(queue, "batch", 10).statusCode()).isEqualTo(204);
        Pops.ack(first, "completed");
        assertThat(ids(Pops.pop(queue, "batch", 10))).containsExactly("d");
    }

    @Test
    void pop_autoAck_consumesOnlyWhatItGot() {
        push("p", "a", "b", "c", "d", "e");
        assertThat(ids(Pops.pop(queue, "batch", 10, "autoAck", true))).containsExactly("a", "b", "c");
        assertThat(ids(Pops.pop(queue, "batch", 10, "autoAck", true))).containsExactly("d", "e");
        assertThat(Pops.pop(queue, "batch", 10, "autoAck", true).statusCode()).isEqualTo(204);
    }

    @Test
    void pop_severalPartitions_shareTheRoom() {
        push("p", "a", "b", "c");
        push("q", "d", "e", "f");
        Response popped = Pops.pop(queue, "batch", 10, "partitions", 2);
        assertThat(ids(popped)).containsExactlyInAnyOrder("a", "b", "d", "e");
        Pops.ack(popped, "completed");
        assertThat(ids(Pops.pop(queue, "batch", 10, "partitions", 2))).containsExactlyInAnyOrder("c", "f");
    }

    @Test
    void pop_oneLargerThanAll_comesAlone() {
        Client.push(item(queue, "p", "huge", '"' + "x".repeat(18 << 20) + '"'), item(queue, "p", "next", "1"))
                .statusCode(201);
        Response popped = Pops.pop(queue, "batch", 10);
        assertThat(ids(popped)).containsExactly("huge");
        Pops.ack(popped, "completed");
        assertThat(ids(Pops.pop(queue, "batch", 10))).containsExactly("next");
    }

    private void push(String partition, String... transactionIds) {
        String[] items = List.of(transactionIds).stream()
                .map(id -> item(queue, partition, id, LARGE))
                .toArray(String[]::new);
        Client.push(items).statusCode(201);
    }

    private static List<String> ids(Response popped) {
        return new JsonObject(popped.asString())
                .getJsonArray("messages").stream()
                        .map(message -> ((JsonObject) message).getString("transactionId"))
                        .toList();
    }
}
