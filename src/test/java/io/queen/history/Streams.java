package io.queen.history;

import io.queen.history.Client.Answer;
import io.queen.history.Event.Acked;
import io.queen.history.Event.Moved;
import io.queen.history.Event.Pushed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The operations of a stream worker; what changes something is written down with its answer. */
final class Streams {
    private final Client client;
    private final History history;

    Streams(Client client, History history) {
        this.client = client;
        this.history = history;
    }

    /** The id of the query; empty when there was no answer. */
    Optional<String> register(int server, String name, String source, String sink) {
        JsonObject body = new JsonObject()
                .put("name", name)
                .put("source_queue", source)
                .put("sink_queue", sink)
                .put("config_hash", "one");
        Answer answer = client.post(server, "/streams/v1/queries", body);
        return answer.status() == 200 ? Optional.of(answer.object().getString("query_id")) : Optional.empty();
    }

    /** The counts that the state has under these keys; empty when there was no answer. */
    Optional<Map<String, Long>> counts(int server, String query, Batch batch, Collection<String> keys) {
        JsonObject body = new JsonObject()
                .put("query_id", query)
                .put("partition_id", batch.partitionId())
                .put("keys", new JsonArray(List.copyOf(keys)));
        Answer answer = client.post(server, "/streams/v1/state/get", body);
        if (answer.status() != 200) {
            return Optional.empty();
        }
        Map<String, Long> counts = new HashMap<>();
        for (Object each : answer.object().getJsonArray("rows")) {
            JsonObject row = (JsonObject) each;
            counts.put(row.getString("key"), row.getJsonObject("value").getLong("count"));
        }
        return Optional.of(counts);
    }

    /**
     * One cycle: the counts are the state now, the items are in the sink, and the messages of the batch are done.
     *
     * @param release whether the lease ends, though messages of its batch may be left
     */
    void cycle(int server, String query, Batch batch, Map<String, Long> counts, List<Item> items, boolean release) {
        JsonArray operations = new JsonArray();
        counts.forEach((key, count) -> operations.add(
                new JsonObject().put("type", "upsert").put("key", key).put("value", Counting.value(count))));
        JsonArray pushes = new JsonArray();
        items.forEach(item -> pushes.add(item.json()));
        JsonObject body = new JsonObject()
                .put("query_id", query)
                .put("partition_id", batch.partitionId())
                .put("consumer_group", batch.group())
                .put("release_lease", release)
                .put("state_ops", operations)
                .put("push_items", pushes)
                .put("ack", batch.ack(batch.size() - 1).put("count", batch.size()));
        Answer answer = client.post(server, "/streams/v1/cycle", body);
        boolean done = answer.status() == 200 && answer.object().getBoolean("success");
        Outcome open = answer.definite() ? Outcome.REFUSED : Outcome.UNKNOWN;
        note(answer, server, batch, items, done ? Outcome.APPLIED : open);
    }

    private void note(Answer answer, int server, Batch batch, List<Item> items, Outcome outcome) {
        for (String id : batch.transactionIds()) {
            history.add(new Acked(
                    answer.start(),
                    answer.end(),
                    batch.lane(),
                    batch.group(),
                    batch.leaseId(),
                    id,
                    "completed",
                    outcome,
                    false));
        }
        String sink = items.get(0).lane();
        for (int i = 0; i < items.size(); i++) {
            String id = items.get(i).transactionId();
            history.add(new Pushed(answer.start(), answer.end(), server, sink, id, i, outcome, null));
        }
        List<String> ids = items.stream().map(Item::transactionId).toList();
        history.add(new Moved(answer.start(), answer.end(), sink, ids, outcome));
    }
}
