package io.queen.testing;

import static io.restassured.RestAssured.given;

import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** What tests of pops do over HTTP. */
public final class Pops {
    private Pops() {}

    public static String queue() {
        return "pop-" + UUID.randomUUID();
    }

    public static void configure(String queue, Map<String, Object> options) {
        configure(queue, "", "", options);
    }

    public static void configure(String queue, String namespace, String task, Map<String, Object> options) {
        JsonObject body = new JsonObject()
                .put("queue", queue)
                .put("namespace", namespace)
                .put("task", task)
                .put("options", new JsonObject(options));
        Client.post("/api/v1/configure", body.encode()).statusCode(200);
    }

    /** Pushes the numbers, each as payload and as transaction id. */
    public static void push(String queue, String partition, int... numbers) {
        JsonArray items = new JsonArray();
        for (int number : numbers) {
            items.add(new JsonObject()
                    .put("queue", queue)
                    .put("partition", partition)
                    .put("transactionId", "t" + number)
                    .put("payload", number));
        }
        push(items);
    }

    public static void push(JsonArray items) {
        Client.post("/api/v1/push", new JsonObject().put("items", items).encode())
                .statusCode(201);
    }

    public static Response pop(String queue, Object... query) {
        return given().pathParam("q", queue).queryParams(query(query)).get("/api/v1/pop/queue/{q}");
    }

    public static Response popPartition(String queue, String partition, Object... query) {
        return given().pathParam("q", queue)
                .pathParam("p", partition)
                .queryParams(query(query))
                .get("/api/v1/pop/queue/{q}/partition/{p}");
    }

    public static Map<String, Object> query(Object... pairs) {
        Map<String, Object> query = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            query.put((String) pairs[i], pairs[i + 1]);
        }
        return query;
    }

    /** A long poll of ten seconds, under way. */
    public static CompletableFuture<Response> waiting(String queue, Object... query) {
        List<Object> all = new ArrayList<>(List.of("wait", true, "timeout", 10_000));
        all.addAll(List.of(query));
        return CompletableFuture.supplyAsync(() -> pop(queue, all.toArray()), Parallel.THREADS);
    }

    /** The payloads, empty for 204. */
    public static List<Integer> data(Response response) {
        if (response.statusCode() == 204) {
            return List.of();
        }
        response.then().statusCode(200);
        return response.jsonPath().getList("messages.data", Integer.class);
    }

    public static JsonObject message(Response response, int index) {
        return new JsonObject(response.asString()).getJsonArray("messages").getJsonObject(index);
    }

    /** Acks all messages of the answer under its lease. */
    public static void ack(Response popped, String status) {
        JsonArray acks = new JsonArray();
        JsonObject answer = new JsonObject(popped.asString());
        for (Object each : answer.getJsonArray("messages")) {
            JsonObject message = (JsonObject) each;
            acks.add(new JsonObject()
                    .put("transactionId", message.getString("transactionId"))
                    .put("partitionId", message.getString("partitionId"))
                    .put("leaseId", message.getString("leaseId"))
                    .put("status", status)
                    .put("error", "because"));
        }
        JsonObject body =
                new JsonObject().put("acknowledgments", acks).put("consumerGroup", answer.getString("consumerGroup"));
        Client.post("/api/v1/ack/batch", body.encode()).statusCode(200);
    }

    /** How many pops are parked on this server. */
    public static int parked() {
        return given().get("/metrics").jsonPath().getInt("pop.parked");
    }

    /** A long poll whose answer is not read. */
    public static RawHttp abandoned(String queue) throws IOException {
        String path = "/api/v1/pop/queue/" + URLEncoder.encode(queue, StandardCharsets.UTF_8);
        return new RawHttp(RestAssured.port)
                .send("GET " + path + "?wait=true&timeout=20000 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
}
