package io.queen.pop.ready;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.PartitionName;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
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
    private static final JsonFactory JSON = new JsonFactory();

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
        StringWriter out = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartArray();
            json.writeString(sender);
            for (PeerEvent event : events) {
                json.writeString(event.partition().queue());
                json.writeString(event.partition().partition());
                json.writeString(
                        event.partitionId() == null ? null : event.partitionId().toString());
                json.writeString(event.group());
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    /** What another server told; nothing when it was {@code self}, or when it is not a text of a server. */
    static List<PeerEvent> read(String self, String text) {
        List<String> values = values(text);
        List<PeerEvent> events = new ArrayList<>();
        if (values.isEmpty() || self.equals(values.get(0))) {
            return events;
        }
        for (int i = 1; i + FIELDS <= values.size(); i += FIELDS) {
            String id = values.get(i + 2);
            PartitionName partition = new PartitionName(values.get(i), values.get(i + 1));
            events.add(new PeerEvent(partition, id == null ? null : UUID.fromString(id), values.get(i + 3)));
        }
        return events;
    }

    private static List<String> values(String text) {
        List<String> values = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(text)) {
            parser.nextToken();
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NULL) {
                    values.add(token == JsonToken.VALUE_NULL ? null : parser.getText());
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return values;
    }
}
