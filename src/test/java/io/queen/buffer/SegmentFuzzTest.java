package io.queen.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However a segment is damaged, exactly the undamaged records are found, in order. The seed is fixed: no luck. */
class SegmentFuzzTest {
    private static final int ROUNDS = 1000;

    @TempDir
    Path directory;

    private final Random random = new Random(20261116);

    @Test
    void read_bitsFlippedAndTailCut_findsExactlyTheUndamaged() throws Exception {
        List<byte[]> bodies = bodies();
        SegmentFile segment = SegmentFile.write(directory, bodies);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = segment.bytes();
            boolean[] touched = new boolean[bytes.length];
            flip(bytes, touched, random.nextInt(4));
            int length = random.nextInt(3) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
            List<SegmentReader.Piece> pieces = segment.read(Arrays.copyOf(bytes, length));
            assertThat(found(pieces)).as("round %d", round).isEqualTo(undamaged(bodies, touched, length));
        }
    }

    @Test
    void read_blockOverwritten_findsExactlyTheUndamaged() throws Exception {
        List<byte[]> bodies = bodies();
        SegmentFile segment = SegmentFile.write(directory, bodies);
        for (int round = 0; round < ROUNDS / 10; round++) {
            byte[] bytes = segment.bytes();
            boolean[] touched = new boolean[bytes.length];
            int start = random.nextInt(bytes.length);
            int end = Math.min(bytes.length, start + 1 + random.nextInt(2000));
            for (int i = start; i < end; i++) {
                byte fresh = (byte) (round % 2 == 0 ? 0 : random.nextInt());
                touched[i] = fresh != bytes[i];
                bytes[i] = fresh;
            }
            assertThat(found(segment.read(bytes)))
                    .as("round %d", round)
                    .isEqualTo(undamaged(bodies, touched, bytes.length));
        }
    }

    /** Small and large ones, empty ones, and some that hold what looks like records of another file. */
    private List<byte[]> bodies() {
        List<byte[]> bodies = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            byte[] body = new byte[i == 20 ? 70_000 : random.nextInt(300)];
            random.nextBytes(body);
            bodies.add(i % 5 == 0 ? framed(body) : body);
        }
        bodies.add(new byte[0]);
        return bodies;
    }

    private byte[] framed(byte[] body) {
        ByteBuffer frame = ByteBuffer.allocate(RecordFormat.bytes(body));
        RecordFormat.put(frame, random.nextLong(), body);
        return frame.array();
    }

    private void flip(byte[] bytes, boolean[] touched, int bits) {
        for (int i = 0; i < bits; i++) {
            int at = random.nextInt(bytes.length);
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            touched[at] = true;
        }
    }

    private static List<String> undamaged(List<byte[]> bodies, boolean[] touched, int length) {
        List<String> expected = new ArrayList<>();
        int start = 0;
        for (byte[] body : bodies) {
            int end = start + RecordFormat.bytes(body);
            boolean whole = end <= length;
            for (int i = start; i < end && whole; i++) {
                whole = !touched[i];
            }
            if (whole) {
                expected.add(text(body));
            }
            start = end;
        }
        return expected;
    }

    private static List<String> found(List<SegmentReader.Piece> pieces) {
        return pieces.stream()
                .filter(SegmentReader.Whole.class::isInstance)
                .map(piece -> text(((SegmentReader.Whole) piece).body()))
                .toList();
    }

    private static String text(byte[] body) {
        return new String(body, StandardCharsets.ISO_8859_1);
    }
}
