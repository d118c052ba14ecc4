package io.queen.push;

import io.queen.encryption.PayloadCipher;
import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.sidecar.Column;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Turns the requests of a batch into one call, and its answer into results for each request. A transaction id that comes
 * twice for one partition is sent once; the later items get the outcome of the first.
 */
public final class PushBatch {
    /** The order PostgreSQL has: by unsigned bytes, which is not that of {@link UUID#compareTo}. */
    static final Comparator<UUID> BY_BYTES = (a, b) -> {
        int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
    };

    private record Key(int partition, String transactionId) {}

    private final Map<PartitionName, UUID> partitionIds;
    private final TreeMap<UUID, Integer> numbers = new TreeMap<>(BY_BYTES);
    private final Map<Key, Integer> sent = new HashMap<>();
    private final List<int[]> places = new ArrayList<>();
    private final List<PushItem> items = new ArrayList<>();
    private final List<UUID> messageIds = new ArrayList<>();
    private final List<Integer> partitions = new ArrayList<>();
    private final List<Integer> nths = new ArrayList<>();
    private final List<Integer> promised = new ArrayList<>();
    private final Integer[] counts;

    public PushBatch(List<PushRequest> requests, Map<PartitionName, UUID> partitionIds) {
        this.partitionIds = partitionIds;
        partitionIds.values().forEach(id -> numbers.put(id, 0));
        int number = 0;
        for (Map.Entry<UUID, Integer> partition : numbers.entrySet()) {
            partition.setValue(++number);
        }
        counts = new Integer[number];
        Arrays.fill(counts, 0);
        requests.forEach(this::place);
    }

    private void place(PushRequest request) {
        int[] place = new int[request.items().size()];
        for (int i = 0; i < place.length; i++) {
            PushItem item = request.items().get(i);
            int partition = numbers.get(partitionIds.get(item.name()));
            Integer earlier = sent.putIfAbsent(new Key(partition, item.transactionId()), items.size());
            place[i] = earlier == null ? add(request, i, partition) : -1 - earlier;
        }
        places.add(place);
    }

    private int add(PushRequest request, int nth, int partition) {
        items.add(request.items().get(nth));
        messageIds.add(request.messageIds()[nth]);
        if (request.promised()) {
            promised.add(items.size());
        }
        partitions.add(partition);
        nths.add(++counts[partition - 1]);
        return items.size() - 1;
    }

    public PushStore.Call call(PayloadCipher cipher, Predicate<String> encryptedQueue) {
        String[] payloads = new String[items.size()];
        Boolean[] encrypted = new Boolean[items.size()];
        for (int i = 0; i < payloads.length; i++) {
            PushItem item = items.get(i);
            encrypted[i] = encryptedQueue.test(item.queue());
            payloads[i] =
                    encrypted[i] ? cipher.encrypt(item.payload(), item.name(), item.transactionId()) : item.payload();
        }
        return new PushStore.Call(
                numbers.keySet().toArray(UUID[]::new),
                counts,
                partitions.toArray(Integer[]::new),
                nths.toArray(Integer[]::new),
                Column.of(items, PushItem::transactionId, String[]::new),
                messageIds.toArray(UUID[]::new),
                payloads,
                Column.of(items, PushItem::traceId, UUID[]::new),
                encrypted,
                Column.of(items, PushItem::producerSub, String[]::new),
                Column.of(items, PushItem::headers, String[]::new),
                Column.of(items, PushItem::deliverAt, OffsetDateTime[]::new),
                promised.toArray(Integer[]::new));
    }

    /** The first item of the first request that repeats the transaction id of an earlier one; -1 for none. */
    public int firstDuplicate() {
        int[] place = places.get(0);
        for (int i = 0; i < place.length; i++) {
            if (place[i] < 0) {
                return i;
            }
        }
        return -1;
    }

    /** The partition of an item that was sent. */
    public UUID partitionOf(int item) {
        return partitionIds.get(items.get(item).name());
    }

    /** The results of each request. A message stored under the very id we sent is ours, from a call that was cut off. */
    public List<List<PushResult>> results(PushStore.Answer answer) {
        UUID[] partitionOrder = numbers.keySet().toArray(UUID[]::new);
        PushResult[] outcomes = new PushResult[items.size()];
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] = PushResult.queued(messageIds.get(i), partitionOrder[partitions.get(i) - 1]);
        }
        for (int i = 0; answer.duplicates() != null && i < answer.duplicates().length; i++) {
            PushResult sentAs = outcomes[answer.duplicates()[i] - 1];
            if (!answer.storedIds()[i].equals(sentAs.messageId())) {
                outcomes[answer.duplicates()[i] - 1] =
                        PushResult.duplicate(answer.storedIds()[i], sentAs.partitionId());
            }
        }
        for (int i = 0; answer.refused() != null && i < answer.refused().length; i++) {
            int item = answer.refused()[i] - 1;
            outcomes[item] = PushResult.failed(answer.refusals()[i]);
        }
        return places.stream().map(place -> results(place, outcomes)).toList();
    }

    private static List<PushResult> results(int[] place, PushResult[] outcomes) {
        List<PushResult> results = new ArrayList<>(place.length);
        for (int i : place) {
            results.add(i < 0 ? again(outcomes[-1 - i]) : outcomes[i]);
        }
        return results;
    }

    /** What an item gets whose transaction id came before in the batch, with that outcome. */
    private static PushResult again(PushResult first) {
        return first.status() == PushResult.Status.QUEUED
                ? PushResult.duplicate(first.messageId(), first.partitionId())
                : first;
    }
}
