package io.queen.fuzz;

import io.queen.fuzz.Mutation.Request;
import io.queen.fuzz.Operations.Operation;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** What arrives on a connection when it is not HTTP, or only nearly. */
final class Bytes {
    private final Random random;
    private final Hostile hostile;
    private final Mutation mutation;

    Bytes(Random random, Mutation mutation) {
        this.random = random;
        this.hostile = new Hostile(random);
        this.mutation = mutation;
    }

    byte[] of(Operation operation) {
        byte[] request = request(operation);
        return switch (random.nextInt(6)) {
            case 0 -> hostile.bytes(2000);
            case 1 -> Arrays.copyOf(request, random.nextInt(request.length) + 1);
            case 2 -> flipped(request);
            case 3 -> joined(request, request(operation), hostile.bytes(100));
            case 4 -> joined(request, request(operation), request(operation));
            default -> joined(hostile.bytes(20), request);
        };
    }

    private byte[] request(Operation operation) {
        Request request = mutation.of(operation);
        byte[] body = request.body() == null ? new byte[0] : request.body();
        String head = request.method() + " " + request.target() + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
                + body.length + "\r\n\r\n";
        return joined(head.getBytes(StandardCharsets.ISO_8859_1), body);
    }

    /** A few bytes of the head, or of the body. */
    private byte[] flipped(byte[] request) {
        byte[] copy = request.clone();
        int head = new String(request, StandardCharsets.ISO_8859_1).indexOf("\r\n\r\n") + 4;
        boolean body = head < request.length && random.nextBoolean();
        for (int i = random.nextInt(5); i >= 0; i--) {
            int place = body ? head + random.nextInt(request.length - head) : random.nextInt(head);
            copy[place] = (byte) random.nextInt(256);
        }
        return copy;
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
