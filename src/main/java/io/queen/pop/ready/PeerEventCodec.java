package io.queen.pop.ready;

import io.queen.message.PartitionName;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Events as texts: a flat JSON array, the id of the sender first, then queue, partition, partition id and group of each. NOTIFY
 * takes less than 8000 bytes; when there is more to tell, only the queues are told.
 */
final class PeerEventCodec {
    private static final int MAX_BYTES = 7900;
    private static final int MAX_TEXTS = 4;
    private static final int FIELDS = 4;

    private PeerEventCodec() {}

    static List<String> write(String sender, List<PeerEvent> events) {
        List<String> texts = cut(sender, events);
        if (texts.size() <= MAX_TEXTS) {
            return texts;
        }
        Set<String> queues = new LinkedHashSet<>();
        events.forEach(event -> queues.add(event.partition().queue()));
        return cut(sender, queues.stream().map(PeerEvent::somewhere).toList());
    }

    private static List<String> cut(String sender, List<PeerEvent> events) {
        if (events.isEmpty()) {
            return List.of();
        }
        String text = text(sender, events);
        if (events.size() == 1 || text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES) {
            return List.of(text);
        }
        int half = events.size() / 2;
        List<String> texts = new ArrayList<>(cut(sender, events.subList(0, half)));
        texts.addAll(cut(sender, events.subList(half, events.size())));
        return texts;
    }

    private static String text(String sender, List<PeerEvent> events) {
        JsonArray json = new JsonArray().add(sender);
        for (PeerEvent event : events) {
            json.add(event.partition().queue())
                    .add(event.partition().partition())
                    .add(
                            event.partitionId() == null
                                    ? null
                                    : event.partitionId().toString())
                    .add(event.group());
        }
        return json.encode();
    }

    /** What another server told; nothing when it was {@code self}, or when it is not a text of a server. */
    static List<PeerEvent> read(String self, String text) {
        List<PeerEvent> events = new ArrayList<>();
        JsonArray json = json(text);
        if (json.isEmpty() || self.equals(json.getString(0))) {
            return events;
        }
        for (int i = 1; i + FIELDS <= json.size(); i += FIELDS) {
            PartitionName partition = new PartitionName(json.getString(i), json.getString(i + 1));
            String id = json.getString(i + 2);
            events.add(new PeerEvent(partition, id == null ? null : UUID.fromString(id), json.getString(i + 3)));
        }
        return events;
    }

    private static JsonArray json(String text) {
        try {
            return new JsonArray(text);
        } catch (DecodeException e) {
            return new JsonArray();
        }
    }
}
