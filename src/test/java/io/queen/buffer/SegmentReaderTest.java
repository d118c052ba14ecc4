package io.queen.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentReaderTest {
    private static final int RECORD = RecordFormat.HEAD_BYTES + 3;

    @TempDir
    Path directory;

    private SegmentFile segment;

    @BeforeEach
    void write() throws Exception {
        segment = SegmentFile.write(directory, List.of(body("one"), body("two"), body("end")));
    }

    @Test
    void next_undamaged_isEachRecordInOrder() throws Exception {
        assertThat(read(segment.bytes())).containsExactly("one", "two", "end");
    }

    @Test
    void next_cutAnywhereInTheLast_isTorn() throws Exception {
        for (int length = 2 * RECORD + 1; length < 3 * RECORD; length++) {
            assertThat(read(Arrays.copyOf(segment.bytes(), length))).containsExactly("one", "two", "torn");
        }
    }

    @Test
    void next_bitFlippedInTheMiddle_isDamagedAndTheNextIsFound() throws Exception {
        for (int at = RECORD; at < 2 * RECORD; at++) {
            byte[] bytes = segment.bytes();
            bytes[at] ^= 4;
            assertThat(read(bytes)).containsExactly("one", "damaged", "end");
        }
    }

    @Test
    void next_bodyOfTheLastFlipped_isDamagedAndNotTorn() throws Exception {
        byte[] bytes = segment.bytes();
        bytes[3 * RECORD - 1] ^= 1;
        assertThat(read(bytes)).containsExactly("one", "two", "damaged");
    }

    @Test
    void next_recordInsideADamagedOne_needsTheMarkToBeTakenForOne() throws Exception {
        SegmentFile outer = SegmentFile.write(directory, List.of(frame(segment.mark(), body("evil")), body("end")));
        byte[] bytes = outer.bytes();
        bytes[RecordFormat.HEAD_BYTES + RecordFormat.HEAD_BYTES + 10] ^= 1;
        bytes[9] ^= 1;
        assertThat(outer.mark()).isNotEqualTo(segment.mark());
        assertThat(texts(outer.read(bytes))).containsExactly("damaged", "end");
    }

    private List<String> read(byte[] bytes) throws Exception {
        return texts(segment.read(bytes));
    }

    private static List<String> texts(List<SegmentReader.Piece> pieces) {
        return pieces.stream().map(SegmentReaderTest::text).toList();
    }

    private static String text(SegmentReader.Piece piece) {
        if (piece instanceof SegmentReader.Whole whole) {
            return new String(whole.body(), StandardCharsets.UTF_8);
        }
        return piece instanceof SegmentReader.Torn ? "torn" : "damaged";
    }

    private static byte[] body(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] frame(long mark, byte[] body) {
        ByteBuffer frame = ByteBuffer.allocate(RecordFormat.bytes(body) + 20);
        RecordFormat.put(frame, mark, body);
        return frame.array();
    }
}
