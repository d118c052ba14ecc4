package io.queen.buffer;

import io.queen.encryption.PayloadCipher;
import io.queen.message.PushItem;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The body of a record: one push request.
 *
 * <pre>
 *   1 byte   version, 1
 *   1 byte   1 when the payloads are encrypted
 *   4 bytes  number of items; then for each: queue, partition, transaction id, payload, trace id, producer,
 *            each 4 bytes of length (-1 for null) and that many bytes of UTF-8
 * </pre>
 *
 * @param items with the payloads as they lie in the file
 */
record RecordBody(boolean encrypted, List<PushItem> items) {
    private static final byte VERSION = 1;

    /** The request as it goes to the file: encrypted when there is a key. */
    static RecordBody seal(List<PushItem> items, PayloadCipher cipher) {
        return cipher.enabled()
                ? new RecordBody(
                        true, items.stream().map(item -> encrypt(item, cipher)).toList())
                : new RecordBody(false, items);
    }

    /** The request as it was; empty when it was encrypted with a key that this server has not. */
    Optional<List<PushItem>> open(PayloadCipher cipher) {
        if (!encrypted) {
            return Optional.of(items);
        }
        List<PushItem> opened = new ArrayList<>(items.size());
        for (PushItem item : items) {
            Optional<String> payload = cipher.opened(item.payload());
            if (payload.isEmpty()) {
                return Optional.empty();
            }
            opened.add(with(item, payload.get()));
        }
        return Optional.of(opened);
    }

    byte[] write() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeBoolean(encrypted);
            out.writeInt(items.size());
            for (PushItem item : items) {
                write(out, item);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Empty when it was written by a server that has another format. */
    static Optional<RecordBody> read(byte[] body) {
        ByteBuffer in = ByteBuffer.wrap(body);
        try {
            if (in.get() != VERSION) {
                return Optional.empty();
            }
            boolean encrypted = in.get() == 1;
            int size = in.getInt();
            List<PushItem> items = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                items.add(item(in));
            }
            return Optional.of(new RecordBody(encrypted, items));
        } catch (BufferUnderflowException | IllegalArgumentException | NegativeArraySizeException e) {
            return Optional.empty();
        }
    }

    private static PushItem encrypt(PushItem item, PayloadCipher cipher) {
        return with(item, cipher.encrypt(item.payload()));
    }

    private static PushItem with(PushItem item, String payload) {
        return new PushItem(
                item.queue(), item.partition(), item.transactionId(), item.traceId(), payload, item.producerSub());
    }

    private static void write(DataOutputStream out, PushItem item) throws IOException {
        text(out, item.queue());
        text(out, item.partition());
        text(out, item.transactionId());
        text(out, item.payload());
        text(out, item.traceId() == null ? null : item.traceId().toString());
        text(out, item.producerSub());
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        if (text == null) {
            out.writeInt(-1);
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static PushItem item(ByteBuffer in) {
        String queue = text(in);
        String partition = text(in);
        String transactionId = text(in);
        String payload = text(in);
        String traceId = text(in);
        return new PushItem(
                queue, partition, transactionId, traceId == null ? null : UUID.fromString(traceId), payload, text(in));
    }

    private static String text(ByteBuffer in) {
        int length = in.getInt();
        if (length == -1) {
            return null;
        }
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
