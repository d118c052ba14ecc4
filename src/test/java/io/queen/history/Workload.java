package io.queen.history;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * Everybody who uses the installation.
 *
 * <pre>
 *   producers ─▶ work ─┬─▶ group any      (pops of any partition, competing)
 *                      ├─▶ group named    (pops of one partition, competing)
 *                      └─▶ group careless (auto-acked)
 *   producer ──▶ source ──▶ movers ──▶ target ──▶ group sink
 *   producer ──▶ tape ────▶ group rewinders, sent back to the beginning now and then
 *   producer ──▶ repair ──┬─▶ group menders, whose dead letters are given back to it
 *                        └─▶ group bystanders
 *   producer ──▶ events ──▶ stream workers ──▶ counts, and the state of their query
 *   probers ───▶ queues of their own
 * </pre>
 */
final class Workload {
    private static final int LEASE_SECONDS = 2;
    private static final int RETRY_LIMIT = 3;
    static final Plan PLAN = new Plan(
            Map.of(
                    "work", Set.of("any", "named"),
                    "source", Set.of("movers"),
                    "target", Set.of("sink"),
                    "repair", Set.of("bystanders"),
                    "events", Set.of(StreamWorker.GROUP),
                    "tape", Set.of("rewinders")),
            Map.of("work", Set.of("careless")),
            Map.of("repair", Set.of("menders")),
            Map.of("source", "target"),
            Map.of("events", "counts"),
            LEASE_SECONDS);

    private final Installation installation;
    private final History history;
    private final Stage stage;
    private final Client client;
    private final Random seeds;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> running = new ArrayList<>();

    Workload(Installation installation, History history, Stage stage, long seed) {
        this.installation = installation;
        this.history = history;
        this.stage = stage;
        this.client = new Client(installation);
        this.seeds = new Random(seed);
    }

    void start() {
        PLAN.groups().keySet().forEach(this::configure);
        List<String> work = lanes("work", 5);
        List<String> tape = lanes("tape", 2);
        List<String> target = lanes("target", 2);
        produce("a", work, 0);
        produce("b", work, 1);
        produce("c", work, -1);
        produce("source", lanes("source", 3), -1);
        produce("tape", tape, -1);
        produce("repair", lanes("repair", 2), -1);
        produce("events", lanes("events", 3), -1);
        for (int i = 0; i < 3; i++) {
            run(new Worker(session(), stage, random(), "any", List.of("work")));
        }
        for (int i = 0; i < 2; i++) {
            run(new Worker(session(), stage, random(), "named", work));
            run(new Mover(session(), stage, random(), "m" + i, "movers", "source", target, LEASE_SECONDS));
            Streams streams = new Streams(client, history);
            run(new StreamWorker(session(), stage, random(), streams, "s" + i, "events", "counts", LEASE_SECONDS));
            Session own = new Session(new Client(installation), history);
            run(new Prober(own, stage, random(), "probes-" + i, history));
        }
        run(new Worker(session(), stage, random(), "sink", List.of("target")));
        run(new Worker(session(), stage, random(), "bystanders", List.of("repair")));
        run(new Mender(session(), stage, random(), "menders", "repair", List.of("repair")));
        run(new Mender(session(), stage, random(), "menders", "repair", lanes("repair", 2)));
        run(new CarelessConsumer(session(), stage, random(), "careless", "work"));
        run(new Rewinder(session(), stage, random(), "rewinders", "tape", List.of("tape", tape.get(0), tape.get(1))));
        run(new Observer(session(), stage, random(), history, installation.postgres()::connect));
    }

    private void configure(String queue) {
        JsonObject options = new JsonObject().put("leaseTime", LEASE_SECONDS).put("retryLimit", RETRY_LIMIT);
        client.post(0, "/api/v1/configure", new JsonObject().put("queue", queue).put("options", options));
    }

    private void produce(String name, List<String> lanes, int home) {
        AtomicReferenceArray<Item> recent = recent(Plan.queue(lanes.get(0)));
        run(new Producer(session(), stage, random(), name, lanes, home, recent));
    }

    private final Map<String, AtomicReferenceArray<Item>> recents = new HashMap<>();

    /** Producers of one queue repeat each other. */
    private AtomicReferenceArray<Item> recent(String queue) {
        return recents.computeIfAbsent(queue, key -> new AtomicReferenceArray<>(8));
    }

    private static List<String> lanes(String queue, int count) {
        return IntStream.range(0, count).mapToObj(i -> queue + "/" + i).toList();
    }

    private Session session() {
        return new Session(client, history);
    }

    private Random random() {
        return new Random(seeds.nextLong());
    }

    private void run(Actor actor) {
        running.add(threads.submit(actor));
    }

    /** Waits until everybody has finished, after the end of the stage; who failed fails the run. */
    void join() throws InterruptedException, ExecutionException, TimeoutException {
        threads.shutdown();
        for (Future<?> each : running) {
            each.get(180, TimeUnit.SECONDS);
        }
    }
}
