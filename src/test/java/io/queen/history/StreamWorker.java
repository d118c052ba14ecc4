package io.queen.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Counts as the SDKs do: registers its query, pops, reads the state, and writes the new counts, the results and the ack in one
 * cycle. What was refused or not answered it forgets, and pops again. Some batches it forgets on purpose, does by half, or
 * too late.
 */
final class StreamWorker extends Actor {
    static final String GROUP = "streams.counts";

    private static final int MAX_BATCH = 12;

    private final Streams streams;
    private final String name;
    private final String source;
    private final String sink;
    private final int leaseSeconds;
    private String query;
    private int number;

    StreamWorker(
            Session session,
            Stage stage,
            Random random,
            Streams streams,
            String name,
            String source,
            String sink,
            int leaseSeconds) {
        super(session, stage, random);
        this.streams = streams;
        this.name = name;
        this.source = source;
        this.sink = sink;
        this.leaseSeconds = leaseSeconds;
    }

    @Override
    void step() {
        if (query == null || percent(2)) {
            query = streams.register(anyServer(), "counts", source, sink).orElse(null);
        }
        if (query == null) {
            think(50);
            return;
        }
        String parameters = "&batch=" + (1 + random.nextInt(MAX_BATCH)) + "&partitions=2&wait=true&timeout=300";
        Catch popped = session.pop(anyServer(), source, GROUP, parameters);
        popped.batches().forEach(this::handle);
        if (popped.outcome() != Outcome.APPLIED) {
            think(20);
        }
    }

    private void handle(Batch batch) {
        int fate = stage.loading() ? random.nextInt(100) : 99;
        if (fate < 3) {
            return;
        }
        Batch part = fate < 15 ? first(batch, 1 + random.nextInt(batch.size())) : batch;
        Set<String> keys = new LinkedHashSet<>(List.of(Counting.EMITTED));
        part.transactionIds().forEach(id -> keys.add(Counting.key(id)));
        streams.counts(anyServer(), query, part, keys).ifPresent(counts -> {
            if (fate >= 15 && fate < 20) {
                // Too late: another has the messages by now, and this cycle must not be applied.
                think(leaseSeconds * 1000 + 500);
            }
            commit(part, new LinkedHashMap<>(counts), fate % 2 == 1);
        });
    }

    private static Batch first(Batch batch, int count) {
        return new Batch(
                batch.lane(),
                batch.partitionId(),
                batch.group(),
                batch.leaseId(),
                batch.transactionIds().subList(0, count));
    }

    private void commit(Batch batch, Map<String, Long> counts, boolean release) {
        Set<String> changed = new LinkedHashSet<>();
        for (String id : batch.transactionIds()) {
            counts.merge(Counting.key(id), 1L, Long::sum);
            changed.add(Counting.key(id));
        }
        String lane = sink + "/" + Plan.partition(batch.lane());
        List<Item> items = new ArrayList<>();
        for (String key : changed) {
            long emitted = counts.merge(Counting.EMITTED, 1L, Long::sum);
            String text = Counting.emission(emitted, key, counts.get(key));
            items.add(new Item(lane, name + "-" + ++number, text));
        }
        streams.cycle(anyServer(), query, batch, counts, items, release);
    }
}
