package io.queen.buffer;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Reads a segment, past whatever damage it has: what is whole is found, in order, and nothing else. Fails with an {@code
 * UncheckedIOException} when the disk does not give the bytes.
 */
final class SegmentReader {
    private static final int CHUNK = 64 * 1024;

    private final FileChannel file;
    private final long mark;

    SegmentReader(FileChannel file, long mark) {
        this.file = file;
        this.mark = mark;
    }

    /** What lies between two places of a segment. */
    sealed interface Piece {
        long start();

        /** Where the next piece starts. */
        long end();
    }

    /** A record, whole. */
    record Whole(long start, long end, byte[] body) implements Piece {}

    /** Bytes that are no record, before one that is, or at the end. */
    record Damaged(long start, long end) implements Piece {}

    /** A record that was being written when the server died: at the end. */
    record Torn(long start, long end) implements Piece {}

    /** The piece that starts at {@code from}, which is less than {@code end}. */
    Piece next(long from, long end) {
        byte[] body = body(from, end);
        return body == null ? gap(from, end) : new Whole(from, from + RecordFormat.bytes(body), body);
    }

    byte[] bytes(long from, long end) {
        return read(from, Math.toIntExact(end - from)).array();
    }

    private byte[] body(long at, long end) {
        if (end - at < RecordFormat.HEAD_BYTES) {
            return null;
        }
        ByteBuffer head = read(at, RecordFormat.HEAD_BYTES);
        if (head.getLong() != mark) {
            return null;
        }
        int length = head.getInt();
        if (length < 0 || length > end - at - RecordFormat.HEAD_BYTES) {
            return null;
        }
        byte[] body = read(at + RecordFormat.HEAD_BYTES, length).array();
        return head.getInt() == RecordFormat.checksum(mark, body) ? body : null;
    }

    private Piece gap(long from, long end) {
        for (long at = nextMark(from + 1, end); at >= 0; at = nextMark(at + 1, end)) {
            if (body(at, end) != null) {
                return new Damaged(from, at);
            }
        }
        return isTorn(from, end) ? new Torn(from, end) : new Damaged(from, end);
    }

    private boolean isTorn(long from, long end) {
        if (end - from < RecordFormat.HEAD_BYTES) {
            return true;
        }
        ByteBuffer head = read(from, RecordFormat.HEAD_BYTES);
        return head.getLong() == mark && head.getInt() > end - from - RecordFormat.HEAD_BYTES;
    }

    private long nextMark(long from, long end) {
        long window = 0;
        for (long at = from; at < end; ) {
            ByteBuffer chunk = read(at, (int) Math.min(CHUNK, end - at));
            while (chunk.hasRemaining()) {
                window = window << 8 | (chunk.get() & 0xff);
                at++;
                if (window == mark && at - from >= RecordFormat.MARK_BYTES) {
                    return at - RecordFormat.MARK_BYTES;
                }
            }
        }
        return -1;
    }

    private ByteBuffer read(long from, int length) {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        try {
            while (buffer.hasRemaining()) {
                if (file.read(buffer, from + buffer.position()) < 0) {
                    throw new EOFException("the file has become shorter");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return buffer.flip();
    }
}
