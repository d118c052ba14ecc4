package io.queen.transaction;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.ack.AckReader;
import io.queen.message.Ack;
import io.queen.message.AckStatus;
import io.queen.message.PushItem;
import io.queen.message.QueenException;
import io.queen.message.Transaction;
import io.queen.message.Transaction.Acknowledge;
import io.queen.message.Transaction.Operation;
import io.queen.message.Transaction.Push;
import io.queen.message.Transaction.Unsupported;
import io.queen.push.PushReader;
import io.queen.web.FieldRules;
import io.queen.web.JsonBody;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The body of a transaction: {@code {"operations": [OP, …], "requiredLeases": [id, …]}}. A push has its items in a list
 * or the fields of one item flat; the type of an operation may come after its fields, so all are taken as they come.
 */
public final class TransactionReader {
    private final JsonBody body;
    private final PushReader.ItemReader item;
    private final AckReader ack;
    private final PushReader.ItemReader listed;

    private TransactionReader(JsonBody body, String producerSub) {
        this.body = body;
        this.item = new PushReader.ItemReader(body, "{}", producerSub);
        this.listed = new PushReader.ItemReader(body, "{}", producerSub);
        this.ack = new AckReader(body);
    }

    /** {@code producerSub} is stored with each item that is pushed. */
    static Transaction read(byte[] bytes, String producerSub) {
        return JsonBody.read(bytes, body -> read(body, producerSub));
    }

    private static Transaction read(JsonBody body, String producerSub) throws IOException {
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.missing("operations");
        }
        TransactionReader reader = new TransactionReader(body, producerSub);
        Set<UUID> leases = new HashSet<>();
        List<List<Operation>> operations = null;
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            switch (name) {
                case "operations" -> operations = body.list(name, reader::operation);
                case "requiredLeases" -> leases(body, leases);
                default -> body.unknown("", name);
            }
        }
        if (operations == null) {
            throw QueenException.missing("operations");
        }
        List<Operation> all = operations.stream().flatMap(List::stream).toList();
        if (all.isEmpty()) {
            throw QueenException.invalid("operations", "must not be empty");
        }
        return new Transaction(all, leases);
    }

    /** Leases that are no UUIDs are leases without a holder; empty ones come from messages popped without a lease. */
    private static void leases(JsonBody body, Set<UUID> leases) throws IOException {
        if (body.isNull()) {
            return;
        }
        if (body.current() != JsonToken.START_ARRAY) {
            throw QueenException.invalid("requiredLeases", "must be an array");
        }
        while (body.next() != JsonToken.END_ARRAY) {
            String lease = body.isNull() ? "" : body.string("requiredLeases");
            if (!lease.isEmpty()) {
                leases.add(FieldRules.isUuid(lease) ? UUID.fromString(lease) : Ack.NO_SUCH_LEASE);
            }
        }
    }

    private List<Operation> operation(String place) throws IOException {
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.invalid(place, "must be an object");
        }
        item.start();
        ack.start();
        String type = null;
        List<PushItem> items = null;
        String transactionId = null;
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            switch (name) {
                case "type" -> type = body.string(place + ".type");
                case "items" -> items = body.list(place + ".items", listed::read);
                case "data" -> item.payload(body.raw(place + ".data"));
                case "transactionId" -> transactionId = body.isNull() ? null : body.name(place + ".transactionId");
                default -> other(name, place);
            }
        }
        return operations(type, items, transactionId, place);
    }

    private void other(String name, String place) throws IOException {
        if (!item.field(name, place) && !ack.field(name, place + ".")) {
            body.unknown(place + ".", name);
        }
    }

    private static Operation acknowledge(Ack ack) {
        return ack.status() == null || ack.status() == AckStatus.RETRY
                ? new Unsupported("Unsupported ack status in a transaction, use completed, failed or dlq")
                : new Acknowledge(ack);
    }

    private List<Operation> operations(String type, List<PushItem> items, String transactionId, String place) {
        if (type == null) {
            throw QueenException.missing(place + ".type");
        }
        switch (type) {
            case "push" -> {
                if (items != null) {
                    return items.stream().<Operation>map(Push::new).toList();
                }
                item.transactionId(transactionId == null ? "" : transactionId);
                return List.of(new Push(item.finish(place)));
            }
            case "ack" -> {
                ack.transactionId(transactionId);
                return List.of(acknowledge(ack.finish(place + ".")));
            }
            default -> {
                return List.of(new Unsupported("Unknown operation type: " + type));
            }
        }
    }
}
