package io.queen.soak;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Clients of every kind, each in a thread of its own that does its part again and again until the load ends. */
final class MixedLoad {
    private static final int QUEUES = 6;
    private static final int PARTITIONS = 200;
    private static final String[] PAGES = {
        "/api/v1/resources/queues",
        "/api/v1/resources/overview",
        "/api/v1/status",
        "/api/v1/status/queues",
        "/api/v1/messages?limit=20",
        "/api/v1/dlq?limit=20",
        "/api/v1/consumer-groups",
        "/api/v1/consumer-groups/lagging",
        "/api/v1/analytics/queue-lag",
        "/api/v1/traces/names",
        "/metrics",
        "/metrics/prometheus",
        "/health"
    };

    private final URI server;
    private final Tally tally;
    private final Random seeds;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();
    private volatile boolean over;

    MixedLoad(URI server, Tally tally, long seed) {
        this.server = server;
        this.tally = tally;
        this.seeds = new Random(seed);
    }

    void start() {
        for (int queue = 0; queue < QUEUES; queue++) {
            configure(queue);
        }
        again(3, 5, MixedLoad::produce);
        again(3, 0, MixedLoad::consume);
        again(1, 0, MixedLoad::consumeOnce);
        again(1, 20, MixedLoad::move);
        again(1, 50, MixedLoad::holdOn);
        again(1, 200, MixedLoad::leaveWithoutAck);
        again(1, 300, MixedLoad::visitAsGroup);
        again(1, 300, MixedLoad::useShortLivedQueue);
        again(1, 1000, MixedLoad::redrive);
        again(1, 1500, MixedLoad::seek);
        again(1, 5000, MixedLoad::remove);
        again(1, 100, MixedLoad::inspect);
    }

    void end() throws Exception {
        over = true;
        for (Future<?> each : running) {
            each.get(60, TimeUnit.SECONDS);
        }
        threads.shutdown();
    }

    private void again(int clients, int pauseMillis, Consumer<Caller> part) {
        for (int i = 0; i < clients; i++) {
            Caller caller = new Caller(server, tally, new Random(seeds.nextLong()));
            running.add(threads.submit(() -> {
                while (!over) {
                    part.accept(caller);
                    TimeUnit.MILLISECONDS.sleep(pauseMillis);
                }
                return null;
            }));
        }
    }

    private void configure(int queue) {
        JsonObject options = new JsonObject()
                .put("leaseTime", 5)
                .put("retryLimit", 1)
                .put("retentionEnabled", true)
                .put("retentionSeconds", 20)
                .put("completedRetentionSeconds", 5)
                .put("maxSize", queue == 0 ? 5000 : 0)
                .put("delayedProcessing", queue == 1 ? 1 : 0);
        new Caller(server, tally, seeds)
                .post(
                        "configure",
                        "/api/v1/configure",
                        new JsonObject().put("queue", "soak-" + queue).put("options", options));
    }

    private static String queue(Caller caller) {
        return "soak-" + caller.any(QUEUES);
    }

    private static JsonObject item(Caller caller, String queue) {
        return new JsonObject()
                .put("queue", queue)
                .put("partition", "p" + caller.any(PARTITIONS))
                .put("transactionId", UUID.randomUUID().toString())
                .put("payload", new JsonObject().put("text", "x".repeat(caller.any(400))));
    }

    private static void produce(Caller caller) {
        JsonArray items = new JsonArray();
        int count = 1 + caller.any(20);
        for (int i = 0; i < count; i++) {
            items.add(item(caller, queue(caller)));
        }
        caller.push(items);
        if (caller.any(10) == 0) {
            caller.push(items);
        }
    }

    /** Consumes with acks of every kind, and tells a trace of some messages. */
    private static void consume(Caller caller) {
        String query = "consumerGroup=steady&batch=20&partitions=4&wait=true&timeout=500";
        List<JsonObject> messages = caller.pop("pop", queue(caller), query);
        if (messages.isEmpty()) {
            return;
        }
        JsonArray acks = new JsonArray();
        messages.forEach(message -> acks.add(ack(message, status(caller))));
        caller.post(
                "ack",
                "/api/v1/ack/batch",
                new JsonObject().put("acknowledgments", acks).put("consumerGroup", "steady"));
        if (caller.any(5) == 0) {
            trace(caller, messages.get(0));
        }
    }

    private static String status(Caller caller) {
        int dice = caller.any(100);
        return dice < 97 ? "completed" : dice < 99 ? "failed" : "dlq";
    }

    private static JsonObject ack(JsonObject message, String status) {
        return new JsonObject()
                .put("transactionId", message.getString("transactionId"))
                .put("partitionId", message.getString("partitionId"))
                .put("leaseId", message.getString("leaseId"))
                .put("status", status);
    }

    private static void trace(Caller caller, JsonObject message) {
        JsonObject trace = new JsonObject()
                .put("transactionId", message.getString("transactionId"))
                .put("partitionId", message.getString("partitionId"))
                .put("data", new JsonObject().put("text", "seen"))
                .put("traceNames", new JsonArray().add("soak-" + caller.any(100)));
        caller.post("trace", "/api/v1/traces", trace);
    }

    private static void consumeOnce(Caller caller) {
        caller.pop("auto-ack", queue(caller), "batch=50&autoAck=true&wait=true&timeout=300");
    }

    /** Takes messages from one queue and pushes one for each into another, in one transaction. */
    private static void move(Caller caller) {
        List<JsonObject> messages = caller.pop("pop", "soak-2", "consumerGroup=movers&batch=5");
        if (messages.isEmpty()) {
            return;
        }
        JsonArray operations = new JsonArray();
        messages.forEach(message -> {
            operations.add(ack(message, "completed").put("type", "ack").put("consumerGroup", "movers"));
            operations.add(
                    new JsonObject().put("type", "push").put("items", new JsonArray().add(item(caller, "soak-3"))));
        });
        caller.post("transaction", "/api/v1/transaction", new JsonObject().put("operations", operations));
    }

    private static void holdOn(Caller caller) {
        List<JsonObject> messages = caller.pop("pop", "soak-4", "consumerGroup=slow&batch=3");
        if (!messages.isEmpty()) {
            JsonObject message = messages.get(messages.size() - 1);
            String lease = message.getString("leaseId");
            caller.post("renew", "/api/v1/lease/" + lease + "/extend", new JsonObject().put("seconds", 10));
            caller.post("ack-one", "/api/v1/ack", ack(message, "completed").put("consumerGroup", "slow"));
        }
    }

    private static void leaveWithoutAck(Caller caller) {
        caller.pop("pop", queue(caller), "consumerGroup=forgetful&batch=10");
    }

    /** A group that nobody has seen before comes, pops a few times, and is deleted more often than not. */
    private static void visitAsGroup(Caller caller) {
        String group = "guest-" + UUID.randomUUID();
        String mode = caller.any(2) == 0 ? "new" : "all";
        for (int i = 0; i < 5; i++) {
            String query = "consumerGroup=" + group + "&subscriptionMode=" + mode + "&batch=10&autoAck=true";
            caller.pop("guest-pop", queue(caller), query);
        }
        caller.delete("group-delete", "/api/v1/consumer-groups/" + group);
    }

    private static void useShortLivedQueue(Caller caller) {
        String queue = "passing-" + UUID.randomUUID();
        caller.pop("pop-unknown", queue, "consumerGroup=early&subscriptionMode=new");
        caller.push(new JsonArray().add(item(caller, queue)).add(item(caller, queue)));
        caller.pop("pop", queue, "consumerGroup=early");
        caller.delete("queue-delete", "/api/v1/resources/queues/" + queue);
    }

    private static void redrive(Caller caller) {
        caller.post("redrive", "/api/v1/dlq/redrive?queue=" + queue(caller), "");
        if (caller.any(10) == 0) {
            caller.delete("dlq-delete", "/api/v1/dlq?queue=" + queue(caller));
        }
    }

    private static void seek(Caller caller) {
        JsonObject[] targets = {
            new JsonObject().put("toEnd", true),
            new JsonObject().put("toBeginning", true),
            new JsonObject().put("timestamp", Instant.now().minusSeconds(5).toString())
        };
        String group = caller.any(2) == 0 ? "forgetful" : "slow";
        String path = "/api/v1/consumer-groups/" + group + "/queues/soak-4/seek";
        caller.post("seek", path, targets[caller.any(targets.length)]);
    }

    private static void remove(Caller caller) {
        caller.delete("clear", "/api/v1/queues/soak-5/clear?partition=p" + caller.any(PARTITIONS));
        HttpResponse<String> answer = caller.get("messages", "/api/v1/messages?queue=soak-5&limit=1");
        if (answer != null && answer.statusCode() == 200) {
            for (Object each : new JsonObject(answer.body()).getJsonArray("messages")) {
                JsonObject message = (JsonObject) each;
                String id = message.getString("partitionId") + "/" + message.getString("transactionId");
                caller.delete("message-delete", "/api/v1/messages/" + id);
            }
        }
    }

    private static void inspect(Caller caller) {
        caller.get("inspect", PAGES[caller.any(PAGES.length)]);
    }
}
