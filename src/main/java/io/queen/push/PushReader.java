package io.queen.push;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.queen.web.JsonBody;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** The body of a push: {@code {"items": [ITEM, …]}}. */
public final class PushReader {
    private PushReader() {}

    /** {@code producerSub} is stored with each item: what the caller's token says, never what the body does. */
    static List<PushItem> read(byte[] bytes, String producerSub) {
        return JsonBody.read(bytes, body -> object(body, producerSub));
    }

    private static List<PushItem> object(JsonBody body, String producerSub) throws IOException {
        List<PushItem> items = null;
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.missing("items");
        }
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            switch (name) {
                case "items" -> items = body.list("items", new ItemReader(body, "null", producerSub)::read);
                // Some clients ask for a buffer that Queen does not need.
                case "bufferMs", "bufferMax" -> body.skip();
                default -> body.unknown("", name);
            }
        }
        if (items == null) {
            throw QueenException.missing("items");
        }
        return items;
    }

    /** Reads one item to push, of a push or of a transaction. One instance reads many, one after the other. */
    public static final class ItemReader {
        private final JsonBody body;
        private final String payloadIfAbsent;
        private final String producerSub;
        private final ExtraFields extra;
        private String queue;
        private String partition;
        private String transactionId;
        private UUID traceId;
        private String payload;

        public ItemReader(JsonBody body, String payloadIfAbsent, String producerSub) {
            this.body = body;
            this.payloadIfAbsent = payloadIfAbsent;
            this.producerSub = producerSub;
            this.extra = new ExtraFields(body);
        }

        /** The object at the current token, which is the item at {@code place} ("items[3]"). */
        public PushItem read(String place) throws IOException {
            if (body.current() != JsonToken.START_OBJECT) {
                body.skip();
                throw QueenException.invalid(place, "must be an object");
            }
            start();
            for (String name = body.nextField(); name != null; name = body.nextField()) {
                if (!field(name, place)) {
                    body.unknown(place + ".", name);
                }
            }
            return finish(place);
        }

        /** Forgets the item before. */
        public void start() {
            queue = null;
            partition = PushItem.DEFAULT_PARTITION;
            transactionId = "";
            traceId = null;
            payload = payloadIfAbsent;
            extra.start();
        }

        /** Takes the field at the current token, if it is one of an item. */
        public boolean field(String name, String place) throws IOException {
            switch (name) {
                case "queue" -> queue = body.name(place + ".queue");
                case "partition" -> partition = body.name(place + ".partition");
                case "transactionId" -> transactionId = body.isNull() ? "" : body.name(place + ".transactionId");
                case "traceId" -> traceId = body.isNull() ? null : trace(body.string(place + ".traceId"), place);
                case "payload" -> payload = body.raw(place + ".payload");
                // Clients send them; the server decides them by itself.
                case "producerSub", "messageId", "namespace", "task", "bufferMs", "bufferMax" -> body.skip();
                default -> {
                    return extra.field(name, place);
                }
            }
            return true;
        }

        public PushItem finish(String place) {
            if (queue == null) {
                throw QueenException.missing(place + ".queue");
            }
            String id = transactionId.isEmpty() ? UUID.randomUUID().toString() : transactionId;
            PartitionName target = new PartitionName(queue, partition);
            return new PushItem(target, id, traceId, payload, producerSub, extra.headers(), extra.deliverAt());
        }

        public void payload(String text) {
            payload = text;
        }

        public void transactionId(String id) {
            transactionId = id;
        }

        private static UUID trace(String text, String place) {
            return text.isEmpty() ? null : FieldRules.uuid(text, place + ".traceId");
        }
    }
}
