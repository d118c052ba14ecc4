package io.queen.fuzz;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.queen.fuzz.Mutation.Request;
import io.queen.fuzz.Operations.Operation;
import io.queen.testing.Partitions;
import io.queen.testing.RawHttp.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A short run of one seed in every build; {@code -Pfuzz} has a longer one, of another seed each time. */
@QuarkusTest
class FuzzTest {
    private static final int REQUESTS = Integer.getInteger("fuzz.requests", 1500);
    private static final long SEED = seed(System.getProperty("fuzz.seed", "14"));
    private static final Request ALIVE = new Request("GET", "/api/v1", null);

    private final Random random = new Random(SEED);
    private final String queue = Partitions.name("fuzz");

    @TestHTTPResource("/")
    URI server;

    private static long seed(String text) {
        return text.equals("random") ? System.nanoTime() : Long.parseLong(text);
    }

    @BeforeEach
    void tellSeed() {
        System.out.println("fuzz: -Dfuzz.seed=" + SEED + " -Dfuzz.requests=" + REQUESTS);
    }

    @AfterEach
    void leaveNothing() {
        for (String path : List.of("/api/v1/system/maintenance", "/api/v1/system/maintenance/pop")) {
            given().body("{\"enabled\":false}").post(path).then().statusCode(200);
        }
        given().delete("/api/v1/resources/queues/" + queue).then().statusCode(200);
    }

    @Test
    void everyRoute_oneThingSpoilt_isAnsweredWithoutAFailure() throws IOException {
        List<Operation> operations = operations();
        Mutation mutation = new Mutation(random, new Sample(random, queue, push()));
        int done = 0;
        try (Wire wire = new Wire(server.getPort())) {
            for (; done < REQUESTS; done++) {
                Operation operation = operations.get(done % operations.size());
                judge(wire, operation, mutation.of(operation), done);
            }
        }
        assertThat(done).isGreaterThanOrEqualTo(REQUESTS);
    }

    private static void judge(Wire wire, Operation operation, Request request, int number) throws IOException {
        try {
            Answer answer = wire.ask(request);
            String fault = Verdict.fault(operation.path(), answer);
            if (fault != null) {
                fail("seed %d, request %d, %s: %s%n%s%n%s", SEED, number, operation, fault, request, answer);
            }
        } catch (IOException e) {
            wire.close();
            fail("seed %d, request %d, %s: %s%n%s", SEED, number, operation, e, request);
        }
    }

    @Test
    void connection_anyBytes_leavesTheServerServing() throws IOException {
        List<Operation> operations = operations();
        Bytes bytes = new Bytes(random, new Mutation(random, new Sample(random, queue, push())));
        try (Wire wire = new Wire(server.getPort())) {
            for (int i = 0; i < REQUESTS / 5; i++) {
                byte[] sent = bytes.of(operations.get(random.nextInt(operations.size())));
                String answers = wire.send(sent);
                String what = "seed " + SEED + ", bytes " + i + ": " + new String(sent, StandardCharsets.ISO_8859_1);
                assertThat(answers).as(what).doesNotContainPattern("HTTP/1\\.1 5(?!0[135])");
                assertThat(Verdict.leak(answers)).as(what).isNull();
                assertThat(wire.ask(ALIVE).status()).as(what).isEqualTo(200);
            }
        }
    }

    private static List<Operation> operations() throws IOException {
        String document = given().queryParam("format", "JSON").get("/q/openapi").asString();
        return Operations.of(document);
    }

    /** Gives the id of a partition that has messages. */
    private String push() {
        return await().until(this::pushed, Objects::nonNull);
    }

    /** Null while PostgreSQL is away, as another test may leave it: then the push is in the file buffer. */
    private String pushed() {
        return given().contentType("application/json")
                .body(
                        "{\"items\":[{\"queue\":\"%1$s\",\"partition\":\"p0\",\"transactionId\":\"t0\"},{\"queue\":\"%1$s\",\"partition\":\"p1\"}]}"
                                .formatted(queue))
                .post("/api/v1/push")
                .then()
                .statusCode(201)
                .extract()
                .path("[0].partition_id");
    }
}
