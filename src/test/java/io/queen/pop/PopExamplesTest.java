package io.queen.pop;

import static io.queen.testing.Pops.data;
import static io.queen.testing.Pops.pop;
import static io.queen.testing.Pops.popPartition;
import static io.queen.testing.Pops.push;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Http;
import io.queen.testing.Parallel;
import io.queen.testing.Pops;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The four examples that the state machine was specified with. */
@QuarkusTest
class PopExamplesTest {
    private final String queue = Pops.queue();

    private static List<Response> together(List<Supplier<Response>> pops) {
        List<CompletableFuture<Response>> all = pops.stream()
                .map(one -> CompletableFuture.supplyAsync(one, Parallel.THREADS))
                .toList();
        return all.stream().map(CompletableFuture::join).toList();
    }

    @Test
    void twoPartitions_atOnce_bothGetAllTheirMessages() {
        push(queue, "customer-123", 1, 2, 3, 4, 5);
        push(queue, "customer-456", 6, 7, 8);
        List<Response> answers = together(List.of(
                () -> popPartition(queue, "customer-123", "consumerGroup", "processor", "batch", 10),
                () -> popPartition(queue, "customer-456", "consumerGroup", "processor", "batch", 10)));
        assertThat(data(answers.get(0))).containsExactly(1, 2, 3, 4, 5);
        assertThat(data(answers.get(1))).containsExactly(6, 7, 8);
    }

    @Test
    void oneNamedAndTwoOfAny_atOnce_eachGetsOrTheNamedOneWasTaken() {
        for (int job = 1; job <= 3; job++) {
            push(queue, "job-" + job, job * 10, job * 10 + 1);
        }
        List<Response> answers = together(List.of(
                () -> popPartition(queue, "job-1", "consumerGroup", "worker", "batch", 5),
                () -> pop(queue, "consumerGroup", "worker", "batch", 5),
                () -> pop(queue, "consumerGroup", "worker", "batch", 5)));
        Set<Object> served = new HashSet<>();
        for (Response answer : answers) {
            if (answer.statusCode() == 200) {
                assertThat(served.add(answer.jsonPath().getString("partition"))).isTrue();
                assertThat(data(answer)).hasSize(2);
            }
        }
        assertThat(answers.get(1).statusCode()).isEqualTo(200);
        assertThat(answers.get(2).statusCode()).isEqualTo(200);
        boolean taken = answers.get(0).statusCode() == 204;
        assertThat(served).hasSize(taken ? 2 : 3);
        assertThat(taken && !served.contains("job-1")).isFalse();
    }

    @Test
    void onePartition_leasedByAnother_isEmptyAtOnce() {
        push(queue, "singleton", 1);
        popPartition(queue, "singleton", "consumerGroup", "worker", "batch", 5);
        assertThat(popPartition(queue, "singleton", "consumerGroup", "worker", "batch", 5)
                        .statusCode())
                .isEqualTo(204);
    }

    @Test
    void fiveHundredPops_ofFiveHundredPartitions_eachGetsItsHundred() {
        for (int from = 0; from < 500; from += 50) {
            pushHundreds(from, from + 50);
        }
        Http http = new Http(Duration.ofSeconds(60));
        List<CompletableFuture<HttpResponse<String>>> pops =
                IntStream.range(0, 500).mapToObj(i -> http.getLater(uri(i))).toList();
        Set<String> leases = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            JsonObject answer = new JsonObject(pops.get(i).join().body());
            assertThat(answer.getString("partition")).isEqualTo("part-" + i);
            List<Object> numbers = answer.getJsonArray("messages").stream()
                    .map(message -> ((JsonObject) message).getValue("data"))
                    .toList();
            assertThat(numbers).isEqualTo(IntStream.range(0, 100).boxed().toList());
            leases.add(answer.getString("leaseId"));
        }
        assertThat(leases).hasSize(500);
        assertThat(pop(queue, "consumerGroup", "worker").statusCode()).isEqualTo(204);
    }

    private URI uri(int partition) {
        return URI.create("http://127.0.0.1:" + RestAssured.port + "/api/v1/pop/queue/" + queue + "/partition/part-"
                + partition + "?batch=100&consumerGroup=worker");
    }

    private void pushHundreds(int from, int to) {
        JsonArray items = new JsonArray();
        for (int partition = from; partition < to; partition++) {
            for (int n = 0; n < 100; n++) {
                items.add(new JsonObject()
                        .put("queue", queue)
                        .put("partition", "part-" + partition)
                        .put("payload", n));
            }
        }
        push(items);
    }
}
