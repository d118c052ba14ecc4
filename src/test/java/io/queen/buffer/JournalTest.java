package io.queen.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written by one server and found by another, on a real directory. */
class JournalTest {
    private static final PartitionName P = new PartitionName("q", "p");

    @TempDir
    Path directory;

    private final BufferedPartitions partitions = new BufferedPartitions();

    @Test
    void append_beyondTheSizeOfAFile_startsAnother() throws Exception {
        Journal journal = journal(2);
        append(journal, "a", "b", "c");
        assertThat(journal.segments()).hasSize(2);
        assertThat(journal.bytes()).isEqualTo(sizes());
        journal.close();
    }

    @Test
    void orphans_ofAClosedServer_areAdoptedInOrderAndCounted() throws Exception {
        Journal journal = journal(1);
        append(journal, "a", "b", "c");
        journal.close();
        Journal adopted = adopt();
        assertThat(ids(adopted)).containsExactly("a", "b", "c");
        assertThat(partitions.messages()).isEqualTo(3);
        assertThat(adopted.bytes()).isEqualTo(sizes());
    }

    @Test
    void orphans_ofAServerThatLives_areLeftToIt() throws Exception {
        Journal journal = journal(10);
        append(journal, "a");
        assertThat(adopt().isEmpty()).isTrue();
        journal.close();
    }

    @Test
    void orphans_drainedInPart_goOnWhereTheDrainWas() throws Exception {
        Journal journal = journal(10);
        append(journal, "a", "b");
        Segment segment = journal.next();
        segment.drainedTo(segment.reader().next(0, segment.end()).end());
        segment.slot.rememberPosition(segment);
        journal.close();
        assertThat(ids(adopt())).containsExactly("b");
        assertThat(partitions.messages()).isEqualTo(1);
    }

    @Test
    void orphans_adoptedWhileOthersWait_comeFirst() throws Exception {
        Journal dead = journal(10);
        append(dead, "old");
        dead.close();
        Journal journal = new Journal(files(10), partitions);
        append(journal, "new");
        new Orphans(files(10), journal, partitions).adopt();
        assertThat(ids(journal)).containsExactly("old", "new");
        journal.close();
    }

    @Test
    void retire_drained_leavesNothingButTheSlot() throws Exception {
        Journal journal = new Journal(files(1), partitions);
        partitions.add(Map.of(P, 2));
        append(journal, "a", "b");
        journal.segments().forEach(segment -> segment.drainedTo(segment.end()));
        journal.retireDrained();
        assertThat(SegmentFile.files(directory)).extracting(Path::getFileName).containsExactly(Path.of("lock"));
        assertThat(journal.isEmpty()).isTrue();
        assertThat(journal.bytes()).isZero();
        assertThat(partitions.isEmpty()).isTrue();
        journal.close();
        assertThat(SegmentFile.files(directory)).isEmpty();
    }

    @Test
    void retire_adoptedAndDrained_removesTheSlot() throws Exception {
        Journal dead = journal(10);
        append(dead, "old");
        dead.close();
        Journal adopted = adopt();
        adopted.segments().forEach(segment -> segment.drainedTo(segment.end()));
        adopted.retireDrained();
        assertThat(SegmentFile.files(directory)).isEmpty();
        assertThat(partitions.isEmpty()).isTrue();
    }

    @Test
    void append_directoryIsAFile_failsAndNothingIsInTheJournal() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        Journal journal = new Journal(new BufferFiles(file.resolve("buffers"), 1 << 20, 10), partitions);
        assertThatThrownBy(() -> append(journal, "a")).isInstanceOf(IOException.class);
        assertThat(journal.isEmpty()).isTrue();
    }

    @Test
    void append_fails_leavesNoFileBehind() throws Exception {
        Journal journal = journal(10);
        // More than a buffer holds: it fails as a full disk does, after the file was made.
        List<byte[]> tooMuch = Collections.nCopies(3000, new byte[1 << 20]);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> journal.append(tooMuch, Map.of(P, 3000))).isInstanceOf(ArithmeticException.class);
        }
        assertThat(SegmentFile.files(directory)).filteredOn(Segment::isSegment).isEmpty();
        assertThat(journal.isEmpty()).isTrue();
        append(journal, "a");
        assertThatThrownBy(() -> journal.append(tooMuch, Map.of(P, 3000))).isInstanceOf(ArithmeticException.class);
        assertThat(ids(journal)).containsExactly("a");
        assertThat(SegmentFile.files(directory)).filteredOn(Segment::isSegment).hasSize(1);
        journal.close();
    }

    private Journal journal(int messagesPerSegment) {
        return new Journal(files(messagesPerSegment), new BufferedPartitions());
    }

    private BufferFiles files(int messagesPerSegment) {
        return new BufferFiles(directory, 1 << 20, messagesPerSegment);
    }

    private Journal adopt() throws IOException {
        Journal adopted = new Journal(files(10), partitions);
        new Orphans(files(10), adopted, partitions).adopt();
        return adopted;
    }

    private static void append(Journal journal, String... ids) throws IOException {
        for (String id : ids) {
            RecordBody body = new RecordBody(false, List.of(new PushItem("q", "p", id, null, "1", null)));
            journal.append(List.of(body.write()), Map.of(P, 1));
        }
    }

    private static List<String> ids(Journal journal) {
        List<String> ids = new ArrayList<>();
        for (Segment segment : journal.segments()) {
            for (long at = segment.position(); at < segment.end(); ) {
                SegmentReader.Whole whole =
                        (SegmentReader.Whole) segment.reader().next(at, segment.end());
                RecordBody.read(whole.body()).orElseThrow().items().forEach(item -> ids.add(item.transactionId()));
                at = whole.end();
            }
        }
        return ids;
    }

    private long sizes() {
        return SegmentFile.files(directory).stream()
                .filter(Segment::isSegment)
                .mapToLong(path -> path.toFile().length())
                .sum();
    }
}
