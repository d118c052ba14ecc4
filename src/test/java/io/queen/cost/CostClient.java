package io.queen.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Http;
import io.queen.testing.Partitions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.stream.IntStream;

/** Requests of the guard, one after the other over one connection, so that each is a list of its own. */
final class CostClient {
    static final int BATCH = 10;
    private static final Object PAYLOAD = new JsonObject().put("text", "x".repeat(90));

    private final Http http = new Http(Duration.ofSeconds(60));
    private final URI server;
    private final String token;
    private final String queue = Partitions.name("cost");

    CostClient(URI server) {
        this(server, null);
    }

    /** Sends the token with pushes, to the path that is not without: see the guard's settings. */
    CostClient(URI server, String token) {
        this.server = server;
        this.token = token;
    }

    /** So many messages, in turn to so many partitions. */
    void push(int messages, int partitions) throws IOException, InterruptedException {
        post(
                token == null ? "/api/v1/push" : "/api/v1/push/",
                new JsonObject().put("items", items(messages, partitions)),
                201);
    }

    private JsonArray items(int messages, int partitions) {
        JsonArray items = new JsonArray();
        IntStream.range(0, messages)
                .forEach(i -> items.add(new JsonObject()
                        .put("queue", queue)
                        .put("partition", "p" + i % partitions)
                        .put("payload", PAYLOAD)));
        return items;
    }

    /** A full batch; of any partition when none is named. */
    JsonArray pop(Integer partition, boolean autoAck) throws IOException, InterruptedException {
        return pop(partition, autoAck, BATCH);
    }

    JsonArray pop(Integer partition, boolean autoAck, int batch) throws IOException, InterruptedException {
        String lane = partition == null ? "" : "/partition/p" + partition;
        URI uri = server.resolve(
                "/api/v1/pop/queue/" + queue + lane + "?batch=" + batch + (autoAck ? "&autoAck=true" : ""));
        HttpResponse<String> answer = http.get(uri);
        assertThat(answer.statusCode()).isEqualTo(200);
        JsonArray messages = new JsonObject(answer.body()).getJsonArray("messages");
        assertThat(messages).hasSize(batch);
        return messages;
    }

    /** A pop of any partition that finds nothing. */
    void popNothing(String query) throws IOException, InterruptedException {
        URI uri = server.resolve("/api/v1/pop/queue/" + queue + query);
        assertThat(http.get(uri).statusCode()).isEqualTo(204);
    }

    void renew(JsonArray messages) throws IOException, InterruptedException {
        String lease = messages.getJsonObject(0).getString("leaseId");
        post("/api/v1/lease/" + lease + "/extend", new JsonObject().put("seconds", 60), 200);
    }

    void ack(JsonArray messages) throws IOException, InterruptedException {
        String answer = post("/api/v1/ack/batch", new JsonObject().put("acknowledgments", acks(messages, null)), 200);
        assertThat(answer).doesNotContain("\"success\":false");
    }

    /** Acknowledges the messages and pushes as many, to one partition of a queue of results. */
    void transaction(JsonArray messages) throws IOException, InterruptedException {
        transaction(messages, messages.size());
    }

    void transaction(JsonArray messages, int pushes) throws IOException, InterruptedException {
        JsonArray operations =
                acks(messages, "ack").add(new JsonObject().put("type", "push").put("items", results(pushes)));
        String answer = post("/api/v1/transaction", new JsonObject().put("operations", operations), 200);
        assertThat(new JsonObject(answer).getBoolean("success")).isTrue();
    }

    /** Of a queue of results, one partition of it. */
    private JsonArray results(int messages) {
        JsonArray items = items(messages, 1);
        items.forEach(item -> ((JsonObject) item).put("queue", queue + "-results"));
        return items;
    }

    /** The id of a query that reads the queue. */
    String register() throws IOException, InterruptedException {
        JsonObject body =
                new JsonObject().put("name", queue).put("source_queue", queue).put("config_hash", "one");
        return new JsonObject(post("/streams/v1/queries", body, 200)).getString("query_id");
    }

    /** Acknowledges the messages and pushes results, as a transaction does, and writes some state. */
    void cycle(String query, JsonArray messages, int pushes, int keys) throws IOException, InterruptedException {
        JsonObject last = messages.getJsonObject(messages.size() - 1);
        JsonArray state = new JsonArray();
        IntStream.range(0, keys)
                .forEach(i -> state.add(new JsonObject()
                        .put("type", "upsert")
                        .put("key", "key-" + i)
                        .put("value", new JsonObject().put("count", messages.size()))));
        JsonObject body = new JsonObject()
                .put("query_id", query)
                .put("partition_id", last.getString("partitionId"))
                .put("state_ops", state)
                .put("push_items", results(pushes))
                .put(
                        "ack",
                        acks(new JsonArray().add(last), null).getJsonObject(0).put("count", messages.size()));
        String answer = post("/streams/v1/cycle", body, 200);
        assertThat(new JsonObject(answer).getBoolean("success")).as(answer).isTrue();
    }

    /** The state that a cycle wrote. */
    void state(String query, JsonArray messages) throws IOException, InterruptedException {
        JsonObject body = new JsonObject()
                .put("query_id", query)
                .put("partition_id", messages.getJsonObject(0).getString("partitionId"))
                .put("keys", new JsonArray().add("key-0").add("key-1"));
        assertThat(new JsonObject(post("/streams/v1/state/get", body, 200)).getJsonArray("rows"))
                .hasSize(2);
    }

    private static JsonArray acks(JsonArray messages, String type) {
        JsonArray acks = new JsonArray();
        messages.forEach(message -> acks.add(new JsonObject()
                .put("type", type)
                .put("transactionId", ((JsonObject) message).getString("transactionId"))
                .put("partitionId", ((JsonObject) message).getString("partitionId"))
                .put("leaseId", ((JsonObject) message).getString("leaseId"))));
        return acks;
    }

    private String post(String path, JsonObject body, int status) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send("POST", server.resolve(path), token, body.encode());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return answer.body();
    }
}
