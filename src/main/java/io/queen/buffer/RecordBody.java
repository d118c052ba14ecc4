package io.queen.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.queen.encryption.OpenedPayload;
import io.queen.encryption.PayloadCipher;
import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The body of a record: one push request.
 *
 * <pre>
 *   1 byte   version: 1, or 2 when an item has headers or a time of delivery
 *   1 byte   1 when the payloads are encrypted
 *   4 bytes  number of items; then for each: queue, partition, transaction id, payload, trace id, producer,
 *            and in version 2 headers and time of delivery,
 *            each 4 bytes of length (-1 for null) and that many bytes of UTF-8
 * </pre>
 *
 * @param items with the payloads as they lie in the file
 */
record RecordBody(boolean encrypted, List<PushItem> items) {
    private static final byte PLAIN = 1;
    private static final byte EXTENDED = 2;

    /** The request as it goes to the file: encrypted when there is a key. */
    static RecordBody seal(List<PushItem> items, PayloadCipher cipher) {
        if (!cipher.enabled()) {
            return new RecordBody(false, items);
        }
        return new RecordBody(
                true,
                items.stream()
                        .map(item -> item.with(cipher.encrypt(item.payload(), item.name(), item.transactionId())))
                        .toList());
    }

    /** The request as it was; empty when it was encrypted with a key that this server lacks. */
    Optional<List<PushItem>> open(PayloadCipher cipher) {
        if (!encrypted) {
            return Optional.of(items);
        }
        List<PushItem> opened = new ArrayList<>(items.size());
        for (PushItem item : items) {
            OpenedPayload payload = cipher.open(item.payload(), item.name(), item.transactionId());
            if (payload.failed()) {
                return Optional.empty();
            }
            opened.add(item.with(payload.payload()));
        }
        return Optional.of(opened);
    }

    byte[] write() {
        ByteBuf out = Unpooled.buffer();
        boolean extended = items.stream().anyMatch(item -> item.headers() != null || item.deliverAt() != null);
        out.writeByte(extended ? EXTENDED : PLAIN).writeBoolean(encrypted).writeInt(items.size());
        items.forEach(item -> write(out, item, extended));
        return ByteBufUtil.getBytes(out);
    }

    /** Empty when it was written by a server that has another format. */
    static Optional<RecordBody> read(byte[] body) {
        ByteBuf in = Unpooled.wrappedBuffer(body);
        try {
            byte version = in.readByte();
            if (version != PLAIN && version != EXTENDED) {
                return Optional.empty();
            }
            boolean encrypted = in.readByte() == 1;
            int size = in.readInt();
            List<PushItem> items = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                items.add(item(in, version == EXTENDED));
            }
            return Optional.of(new RecordBody(encrypted, items));
        } catch (IndexOutOfBoundsException | IllegalArgumentException | DateTimeException e) {
            return Optional.empty();
        }
    }

    private static void write(ByteBuf out, PushItem item, boolean extended) {
        write(out, item.queue());
        write(out, item.partition());
        write(out, item.transactionId());
        write(out, item.payload());
        write(out, item.traceId() == null ? null : item.traceId().toString());
        write(out, item.producerSub());
        if (extended) {
            write(out, item.headers());
            write(out, item.deliverAt() == null ? null : item.deliverAt().toString());
        }
    }

    private static void write(ByteBuf out, String text) {
        if (text == null) {
            out.writeInt(-1);
        } else {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(bytes.length).writeBytes(bytes);
        }
    }

    private static PushItem item(ByteBuf in, boolean extended) {
        PartitionName name = new PartitionName(text(in), text(in));
        String transactionId = text(in);
        String payload = text(in);
        String traceId = text(in);
        String producerSub = text(in);
        String headers = extended ? text(in) : null;
        String deliverAt = extended ? text(in) : null;
        return new PushItem(
                name,
                transactionId,
                traceId == null ? null : UUID.fromString(traceId),
                payload,
                producerSub,
                headers,
                deliverAt == null ? null : OffsetDateTime.parse(deliverAt));
    }

    private static String text(ByteBuf in) {
        int length = in.readInt();
        return length == -1
                ? null
                : in.readCharSequence(length, StandardCharsets.UTF_8).toString();
    }
}
