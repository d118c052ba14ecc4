package io.queen.buffer;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** How a record lies in a file: see the package. */
final class RecordFormat {
    static final int HEAD_BYTES = 16;
    static final int MARK_BYTES = 8;

    private RecordFormat() {}

    static int bytes(byte[] body) {
        return HEAD_BYTES + body.length;
    }

    static void put(ByteBuffer target, long mark, byte[] body) {
        target.putLong(mark).putInt(body.length).putInt(checksum(mark, body)).put(body);
    }

    static int checksum(long mark, byte[] body) {
        CRC32C sum = new CRC32C();
        sum.update(ByteBuffer.allocate(MARK_BYTES + 4)
                .putLong(mark)
                .putInt(body.length)
                .flip());
        sum.update(body);
        return (int) sum.getValue();
    }
}
