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
 * Signals as texts: a flat JSON array, the speaker first, then queue, partition, partition id and group of each. NOTIFY
 * takes less than 8000 bytes; when there is more to say, it is said by queue only.
 */
final class PeerEventCodec {
    private static final int MAX_BYTES = 7900;
    private static final int MAX_TEXTS = 4;
    private static final int FIELDS = 4;
    private static final JsonFactory JSON = new JsonFactory();

    private PeerEventCodec() {}

    static List<String> write(String speaker, List<PeerEvent> signals) {
        List<String> texts = cut(speaker, signals);
        if (texts.size() <= MAX_TEXTS) {
            return texts;
        }
        Set<String> queues = new LinkedHashSet<>();
        signals.forEach(signal -> queues.add(signal.lane().queue()));
        return cut(speaker, queues.stream().map(PeerEvent::somewhere).toList());
    }

    private static List<String> cut(String speaker, List<PeerEvent> signals) {
        if (signals.isEmpty()) {
            return List.of();
        }
        String text = text(speaker, signals);
        if (signals.size() == 1 || text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES) {
            return List.of(text);
        }
        int half = signals.size() / 2;
        List<String> texts = new ArrayList<>(cut(speaker, signals.subList(0, half)));
        texts.addAll(cut(speaker, signals.subList(half, signals.size())));
        return texts;
    }

    private static String text(String speaker, List<PeerEvent> signals) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartArray();
            json.writeString(speaker);
            for (PeerEvent signal : signals) {
                json.writeString(signal.lane().queue());
                json.writeString(signal.lane().partition());
                json.writeString(
                        signal.partitionId() == null
                                ? null
                                : signal.partitionId().toString());
                json.writeString(signal.group());
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    /** What others said; nothing when it was {@code self}, or when it is not a text of ours. */
    static List<PeerEvent> read(String self, String text) {
        List<String> values = values(text);
        List<PeerEvent> signals = new ArrayList<>();
        if (values.isEmpty() || self.equals(values.get(0))) {
            return signals;
        }
        for (int i = 1; i + FIELDS <= values.size(); i += FIELDS) {
            String id = values.get(i + 2);
            PartitionName lane = new PartitionName(values.get(i), values.get(i + 1));
            signals.add(new PeerEvent(lane, id == null ? null : UUID.fromString(id), values.get(i + 3)));
        }
        return signals;
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
