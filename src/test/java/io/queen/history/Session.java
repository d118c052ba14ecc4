package io.queen.history;

import io.queen.history.Client.Answer;
import io.queen.history.Event.Acked;
import io.queen.history.Event.Moved;
import io.queen.history.Event.Popped;
import io.queen.history.Event.Pushed;
import io.queen.history.Event.Redriven;
import io.queen.history.Event.Renewed;
import io.queen.history.Event.Rewound;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The operations of one client, each written down with its answer. */
final class Session {
    private final Client client;
    private final History history;

    Session(Client client, History history) {
        this.client = client;
        this.history = history;
    }

    List<Pushed> push(int server, List<Item> items) {
        JsonArray array = new JsonArray();
        items.forEach(item -> array.add(item.json()));
        Answer answer = client.post(server, "/api/v1/push", new JsonObject().put("items", array));
        JsonArray results = answer.status() == 201 ? answer.array() : null;
        List<Pushed> pushed = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            JsonObject result = results == null ? null : results.getJsonObject(i);
            pushed.add(history.add(new Pushed(
                    answer.start(),
                    answer.end(),
                    server,
                    items.get(i).lane(),
                    items.get(i).transactionId(),
                    i,
                    result == null ? unless(answer) : outcome(result.getString("status")),
                    result == null ? null : result.getString("message_id"))));
        }
        return pushed;
    }

    private static Outcome outcome(String status) {
        return switch (status) {
            case "queued" -> Outcome.APPLIED;
            case "duplicate" -> Outcome.DUPLICATE;
            case "buffered" -> Outcome.BUFFERED;
            default -> Outcome.REFUSED;
        };
    }

    private static Outcome unless(Answer answer) {
        return answer.definite() ? Outcome.REFUSED : Outcome.UNKNOWN;
    }

    /** {@code target} is a queue, or a partition as {@code queue/partition}. */
    Catch pop(int server, String target, String group, String parameters) {
        String path = target.replace("/", "/partition/") + "?consumerGroup=" + group + parameters;
        Answer answer = client.get(server, "/api/v1/pop/queue/" + path);
        JsonObject body = answer.status() == 200 ? answer.object() : new JsonObject();
        Map<String, Batch> batches = new LinkedHashMap<>();
        for (Object each : body.getJsonArray("messages", new JsonArray())) {
            JsonObject message = (JsonObject) each;
            String lane = message.getString("queue") + "/" + message.getString("partition");
            batches.computeIfAbsent(lane, key -> batch(key, group, message))
                    .transactionIds()
                    .add(message.getString("transactionId"));
        }
        Outcome outcome = batches.isEmpty() ? Outcome.EMPTY : Outcome.APPLIED;
        Outcome known = answer.definite() ? outcome : Outcome.UNKNOWN;
        if (batches.isEmpty()) {
            history.add(new Popped(answer.start(), answer.end(), server, null, group, null, known, List.of()));
        }
        batches.values()
                .forEach(batch -> history.add(new Popped(
                        answer.start(),
                        answer.end(),
                        server,
                        batch.lane(),
                        group,
                        batch.leaseId(),
                        known,
                        batch.transactionIds())));
        return new Catch(List.copyOf(batches.values()), known, body.getString("error"));
    }

    private static Batch batch(String lane, String group, JsonObject message) {
        return new Batch(
                lane, message.getString("partitionId"), group, message.getString("leaseId"), new ArrayList<>());
    }

    /** Says of the first messages of the batch what the statuses say, in one request. True when all were taken. */
    boolean ack(int server, Batch batch, List<String> statuses) {
        JsonArray acks = new JsonArray();
        for (int i = 0; i < statuses.size(); i++) {
            acks.add(batch.ack(i).put("status", statuses.get(i)));
        }
        boolean one = statuses.size() == 1;
        Answer answer = one
                ? client.post(server, "/api/v1/ack", acks.getJsonObject(0).put("consumerGroup", batch.group()))
                : client.post(
                        server,
                        "/api/v1/ack/batch",
                        new JsonObject().put("consumerGroup", batch.group()).put("acknowledgments", acks));
        JsonArray results = answer.status() == 200 ? answer.array() : null;
        boolean all = true;
        for (int i = 0; i < statuses.size(); i++) {
            JsonObject result = results == null ? new JsonObject() : results.getJsonObject(i);
            Outcome outcome = result.getBoolean("success", false) ? Outcome.APPLIED : Outcome.REFUSED;
            Outcome known = results == null ? unless(answer) : outcome;
            acked(answer, batch, i, statuses.get(i), known, result.getBoolean("dlq", false));
            all &= known == Outcome.APPLIED;
        }
        return all;
    }

    private void acked(Answer answer, Batch batch, int index, String status, Outcome outcome, boolean dead) {
        history.add(new Acked(
                answer.start(),
                answer.end(),
                batch.lane(),
                batch.group(),
                batch.leaseId(),
                batch.transactionIds().get(index),
                status,
                outcome,
                dead));
    }

    Renewed renew(int server, String leaseId, int seconds) {
        JsonObject body = new JsonObject().put("seconds", seconds);
        Answer answer = client.post(server, "/api/v1/lease/" + leaseId + "/extend", body);
        Outcome outcome = answer.status() == 200 ? Outcome.APPLIED : unless(answer);
        return history.add(new Renewed(answer.start(), answer.end(), leaseId, seconds, outcome));
    }

    /** Sends the group back to the beginning of the queue. */
    Rewound rewind(int server, String group, String queue) {
        String path = "/api/v1/consumer-groups/" + group + "/queues/" + queue + "/seek";
        Answer answer = client.post(server, path, new JsonObject().put("timestamp", "1970-01-01T00:00:00Z"));
        Outcome outcome = answer.status() == 200 ? Outcome.APPLIED : unless(answer);
        return history.add(new Rewound(answer.start(), answer.end(), group, queue, outcome));
    }

    /** Gives the group its dead letters of the queue back. */
    Redriven redrive(int server, String group, String queue) {
        String path = "/api/v1/dlq/redrive?queue=" + queue + "&consumerGroup=" + group;
        Answer answer = client.post(server, path, new JsonObject());
        Outcome outcome = answer.status() == 200 ? Outcome.APPLIED : unless(answer);
        return history.add(new Redriven(answer.start(), answer.end(), group, queue, outcome));
    }

    /** One transaction: the messages of the batch are done, and each has its copy in the other partition. */
    void move(int server, Batch batch, String targetLane, List<String> targets) {
        JsonArray operations = new JsonArray();
        for (int i = 0; i < targets.size(); i++) {
            String copy = batch.lane() + "|" + batch.transactionIds().get(i);
            operations.add(batch.ack(i).put("type", "ack").put("consumerGroup", batch.group()));
            operations.add(new Item(targetLane, targets.get(i), copy).json().put("type", "push"));
        }
        Answer answer = client.post(server, "/api/v1/transaction", new JsonObject().put("operations", operations));
        boolean done = answer.status() == 200 && answer.object().getBoolean("success");
        Outcome outcome = done ? Outcome.APPLIED : unless(answer);
        for (int i = 0; i < targets.size(); i++) {
            acked(answer, batch, i, "completed", outcome, false);
            history.add(new Pushed(answer.start(), answer.end(), server, targetLane, targets.get(i), i, outcome, null));
        }
        history.add(new Moved(answer.start(), answer.end(), targetLane, targets, outcome));
    }
}
