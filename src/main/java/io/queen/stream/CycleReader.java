package io.queen.stream;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.Ack;
import io.queen.message.AckStatus;
import io.queen.message.PushItem;
import io.queen.message.QueenException;
import io.queen.message.UuidV7;
import io.queen.push.PushReader.ItemReader;
import io.queen.push.PushRequest;
import io.queen.stream.Cycle.StateOperation;
import io.queen.web.FieldRules;
import io.queen.web.JsonBody;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The body of a cycle. What the contract lets the cycle fail for (an operation that does not exist, an ack status that does not)
 * is told by {@link #refusal}; everything else that is wrong is refused with its field.
 */
final class CycleReader {
    private static final String NO_VALUE = "{}";
    /** Messages that one ack can be for, in statistics. */
    private static final int MAX_COUNT = 1_000_000;

    private final JsonBody body;
    private final ItemReader item;
    /** The last operation of each key: it alone decides what is there afterwards. */
    private final Map<String, StateOperation> operations = new LinkedHashMap<>();

    private final List<UUID> messageIds = new ArrayList<>();
    private String queryId;
    private String partitionId;
    private String group = Ack.QUEUE_MODE;
    private boolean release = true;
    private int operationCount;
    private List<PushItem> items = List.of();
    private String transactionId;
    private UUID leaseId;
    private String status = "completed";
    private String error;
    private int count = 1;
    private String refusal;

    private CycleReader(JsonBody body, String producerSub) {
        this.body = body;
        this.item = new ItemReader(body, "null", producerSub);
    }

    /** What was read, with the reason why it can't be applied, null for none. */
    record Read(Cycle cycle, String refusal) {}

    /** {@code producerSub} is stored with each item that is pushed, {@code ids} are for those that bring none. */
    static Read read(byte[] bytes, String producerSub, UuidV7 ids) {
        return JsonBody.read(bytes, body -> new CycleReader(body, producerSub).read(ids));
    }

    private Read read(UuidV7 ids) throws IOException {
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.missing("query_id");
        }
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            switch (name) {
                case "query_id" -> queryId = body.string(name);
                case "partition_id" -> partitionId = body.string(name);
                case "state_ops", "push_items" -> list(name);
                case "ack" -> ack();
                case "consumer_group" -> group = body.isNull() ? Ack.QUEUE_MODE : body.name(name);
                case "release_lease" -> release = body.isNull() || FieldRules.bool(body.scalar(), name);
                default -> body.unknown("", name);
            }
        }
        return new Read(cycle(ids), refusal);
    }

    private void list(String name) throws IOException {
        if (body.isNull()) {
            return;
        }
        if (name.equals("state_ops")) {
            operationCount = body.list(name, this::operation).size();
        } else {
            items = body.list(name, this::item);
        }
    }

    private Cycle cycle(UuidV7 ids) {
        UUID query = id(queryId, "query_id");
        UUID partition = id(partitionId, "partition_id");
        String named = group.isEmpty() ? Ack.QUEUE_MODE : group;
        PushRequest pushes = PushRequest.of(items, ids);
        for (int i = 0; i < messageIds.size(); i++) {
            if (messageIds.get(i) != null) {
                pushes.messageIds()[i] = messageIds.get(i);
            }
        }
        return new Cycle(
                ids.next(),
                query,
                partition,
                named,
                List.copyOf(operations.values()),
                operationCount,
                pushes,
                transactionId == null ? null : acknowledged(partition, named),
                count,
                release);
    }

    private static UUID id(String text, String field) {
        if (text == null) {
            throw QueenException.missing(field);
        }
        return FieldRules.uuid(text, field);
    }

    private PushItem item(String place) throws IOException {
        object(place);
        item.start();
        UUID messageId = null;
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            if (name.equals("messageId")) {
                String text = body.isNull() ? "" : body.string(place + ".messageId");
                messageId = text.isEmpty() ? null : FieldRules.uuid(text, place + ".messageId");
            } else if (!item.field(name, place)) {
                body.unknown(place + ".", name);
            }
        }
        messageIds.add(messageId);
        return item.finish(place);
    }

    private Boolean operation(String place) throws IOException {
        object(place);
        String type = null;
        String key = null;
        String value = NO_VALUE;
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            switch (name) {
                case "type" -> type = body.string(place + ".type");
                case "key" -> key = StateQuery.key(body.string(place + ".key"), place + ".key");
                case "value" -> value = body.raw(place + ".value");
                default -> body.unknown(place + ".", name);
            }
        }
        if (type == null) {
            throw QueenException.missing(place + ".type");
        }
        if (key == null) {
            throw QueenException.missing(place + ".key");
        }
        add(type, key, value);
        return true;
    }

    private void add(String type, String key, String value) {
        // Anew at the end, so that the map has the order of the last operations.
        operations.remove(key);
        switch (type) {
            case "upsert" -> operations.put(key, new StateOperation(key, value, WindowEnd.of(value)));
            case "delete" -> operations.put(key, new StateOperation(key, null, null));
            default -> refusal = "Unknown state operation type: " + type;
        }
    }

    private void ack() throws IOException {
        if (body.isNull()) {
            return;
        }
        object("ack");
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            String field = "ack." + name;
            switch (name) {
                case "transactionId" -> transactionId = body.name(field);
                case "leaseId" -> leaseId = body.isNull() ? null : lease(body.string(field));
                case "status" -> status = body.isNull() ? status : body.string(field);
                case "error" -> error = body.isNull() ? null : body.string(field);
                case "count" -> count = body.isNull() ? 1 : FieldRules.integer(body.scalar(), field, 0, MAX_COUNT);
                default -> body.unknown("ack.", name);
            }
        }
        if (transactionId == null) {
            throw QueenException.missing("ack.transactionId");
        }
    }

    private static UUID lease(String text) {
        if (text.isEmpty()) {
            return null;
        }
        return FieldRules.isUuid(text) ? UUID.fromString(text) : Ack.NO_SUCH_LEASE;
    }

    private Ack acknowledged(UUID partition, String named) {
        AckStatus known = AckStatus.of(status);
        if (known == null || known == AckStatus.RETRY) {
            refusal = "Unsupported ack status in a cycle, use completed, failed or dlq";
        }
        return new Ack(partition, transactionId, named, leaseId, known, error);
    }

    private void object(String place) {
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.invalid(place, "must be an object");
        }
    }
}
