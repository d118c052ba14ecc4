package io.queen.ack;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.Ack;
import io.queen.message.AckStatus;
import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.queen.web.JsonBody;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The bodies of acknowledgments: one object, or {@code {"acknowledgments": […], "consumerGroup": …}}. */
public final class AckReader {
    private static final Set<String> FIELDS =
            Set.of("transactionId", "partitionId", "consumerGroup", "leaseId", "status", "error");

    private final JsonBody body;
    private String partitionId;
    private String transactionId;
    private String group;
    private String lease;
    private String status;
    private String error;

    public AckReader(JsonBody body) {
        this.body = body;
    }

    static Ack one(byte[] bytes) {
        return JsonBody.read(bytes, body -> {
            if (body.current() != JsonToken.START_OBJECT) {
                throw QueenException.missing("transactionId");
            }
            return new AckReader(body).read("");
        });
    }

    /** The group at the top is that of every ack. */
    static List<Ack> batch(byte[] bytes) {
        return JsonBody.read(bytes, AckReader::batch);
    }

    private static List<Ack> batch(JsonBody body) throws IOException {
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.missing("acknowledgments");
        }
        List<Ack> acks = null;
        String group = Ack.QUEUE_MODE;
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            switch (name) {
                case "acknowledgments" -> acks = body.list(name, new AckReader(body)::listed);
                case "consumerGroup" -> group = body.isNull() ? Ack.QUEUE_MODE : body.name("consumerGroup");
                default -> body.unknown("", name);
            }
        }
        if (acks == null) {
            throw QueenException.missing("acknowledgments");
        }
        return withGroup(acks, group.isEmpty() ? Ack.QUEUE_MODE : group);
    }

    private Ack listed(String place) throws IOException {
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.invalid(place, "must be an object");
        }
        return read(place + ".");
    }

    private static List<Ack> withGroup(List<Ack> acks, String group) {
        return acks.stream()
                .map(ack -> new Ack(
                        ack.partitionId(), ack.transactionId(), group, ack.leaseId(), ack.status(), ack.error()))
                .toList();
    }

    /** The object at the current token; {@code prefix} stands before its fields in errors. */
    private Ack read(String prefix) throws IOException {
        start();
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            if (!field(name, prefix)) {
                body.unknown(prefix, name);
            }
        }
        return finish(prefix);
    }

    public void start() {
        partitionId = null;
        transactionId = null;
        group = Ack.QUEUE_MODE;
        lease = "";
        status = "completed";
        error = null;
    }

    /** Takes the field at the current token, if it is one of an ack. A null is as if it were not there. */
    public boolean field(String name, String prefix) throws IOException {
        if (body.isNull()) {
            return FIELDS.contains(name);
        }
        switch (name) {
            case "transactionId" -> transactionId = body.name(prefix + name);
            case "partitionId" -> partitionId = body.string(prefix + name);
            case "consumerGroup" -> group = body.name(prefix + name);
            case "leaseId" -> lease = body.string(prefix + name);
            case "status" -> status = body.string(prefix + name);
            case "error" -> error = body.string(prefix + name);
            default -> {
                return false;
            }
        }
        return true;
    }

    public void transactionId(String id) {
        transactionId = id;
    }

    public Ack finish(String prefix) {
        if (transactionId == null) {
            throw QueenException.missing(prefix + "transactionId");
        }
        if (partitionId == null) {
            throw QueenException.missing(prefix + "partitionId");
        }
        return new Ack(
                FieldRules.uuid(partitionId, prefix + "partitionId"),
                transactionId,
                group.isEmpty() ? Ack.QUEUE_MODE : group,
                lease(),
                AckStatus.of(status),
                error);
    }

    private UUID lease() {
        if (lease.isEmpty()) {
            return null;
        }
        return FieldRules.isUuid(lease) ? UUID.fromString(lease) : Ack.NO_SUCH_LEASE;
    }
}
