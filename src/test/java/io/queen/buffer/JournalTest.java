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

    private final Backlog backlog = new Backlog();
    private final BufferedPartitions lanes = new BufferedPartitions();

    @Test
    void append_beyondTheSizeOfAFile_startsAnother() throws Exception {
        Journal journal = journal(2);
        append(journal, "a", "b", "c");
        assertThat(backlog.all()).hasSize(2);
        assertThat(backlog.bytes()).isEqualTo(sizes());
        journal.close();
    }

    @Test
    void leftovers_ofAClosedServer_areAdoptedInOrderAndHeld() throws Exception {
        Journal journal = journal(1);
        append(journal, "a", "b", "c");
        journal.close();
        Backlog adopted = adopt();
        assertThat(ids(adopted)).containsExactly("a", "b", "c");
        assertThat(lanes.messages()).isEqualTo(3);
        assertThat(adopted.bytes()).isEqualTo(sizes());
    }

    @Test
    void leftovers_ofAServerThatLives_areLeftToIt() throws Exception {
        Journal journal = journal(10);
        append(journal, "a");
        assertThat(adopt().isEmpty()).isTrue();
        journal.close();
    }

    @Test
    void leftovers_drainedInPart_goOnWhereTheDrainWas() throws Exception {
        Journal journal = journal(10);
        append(journal, "a", "b");
        Segment segment = backlog.next();
        segment.drainedTo(segment.reader().next(0, segment.end()).end());
        segment.slot().rememberPosition(segment);
        journal.close();
        assertThat(ids(adopt())).containsExactly("b");
        assertThat(lanes.messages()).isEqualTo(1);
    }

    @Test
    void leftovers_adoptedWhileOthersWait_comeFirst() throws Exception {
        Journal dead = journal(10);
        append(dead, "old");
        dead.close();
        Backlog mine = new Backlog();
        Journal journal = new Journal(files(10), mine, lanes);
        append(journal, "new");
        new Orphans(files(10), mine, lanes).adopt();
        assertThat(ids(mine)).containsExactly("old", "new");
        journal.close();
    }

    @Test
    void retire_drained_leavesNothingButTheSlot() throws Exception {
        Journal journal = new Journal(files(1), backlog, lanes);
        lanes.hold(Map.of(P, 2));
        append(journal, "a", "b");
        backlog.all().forEach(segment -> segment.drainedTo(segment.end()));
        journal.retireDrained();
        assertThat(SegmentFile.files(directory)).extracting(Path::getFileName).containsExactly(Path.of("lock"));
        assertThat(backlog.isEmpty()).isTrue();
        assertThat(backlog.bytes()).isZero();
        assertThat(lanes.isEmpty()).isTrue();
        journal.close();
        assertThat(SegmentFile.files(directory)).isEmpty();
    }

    @Test
    void retire_adoptedAndDrained_removesTheSlot() throws Exception {
        Journal dead = journal(10);
        append(dead, "old");
        dead.close();
        Backlog adopted = adopt();
        adopted.all().forEach(segment -> segment.drainedTo(segment.end()));
        new Journal(files(10), adopted, lanes).retireDrained();
        assertThat(SegmentFile.files(directory)).isEmpty();
        assertThat(lanes.isEmpty()).isTrue();
    }

    @Test
    void append_directoryIsAFile_failsAndNothingIsHeldInTheBacklog() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");
        Journal journal = new Journal(new BufferFiles(file.resolve("buffers"), 1 << 20, 10), backlog, lanes);
        assertThatThrownBy(() -> append(journal, "a")).isInstanceOf(IOException.class);
        assertThat(backlog.isEmpty()).isTrue();
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
        assertThat(backlog.isEmpty()).isTrue();
        append(journal, "a");
        assertThatThrownBy(() -> journal.append(tooMuch, Map.of(P, 3000))).isInstanceOf(ArithmeticException.class);
        assertThat(ids(backlog)).containsExactly("a");
        assertThat(SegmentFile.files(directory)).filteredOn(Segment::isSegment).hasSize(1);
        journal.close();
    }

    private Journal journal(int messagesPerSegment) {
        return new Journal(files(messagesPerSegment), backlog, new BufferedPartitions());
    }

    private BufferFiles files(int messagesPerSegment) {
        return new BufferFiles(directory, 1 << 20, messagesPerSegment);
    }

    private Backlog adopt() throws IOException {
        Backlog adopted = new Backlog();
        new Orphans(files(10), adopted, lanes).adopt();
        return adopted;
    }

    private static void append(Journal journal, String... ids) throws IOException {
        for (String id : ids) {
            RecordBody envelope = new RecordBody(false, List.of(new PushItem("q", "p", id, null, "1", null)));
            journal.append(List.of(envelope.write()), Map.of(P, 1));
        }
    }

    private static List<String> ids(Backlog backlog) {
        List<String> ids = new ArrayList<>();
        for (Segment segment : backlog.all()) {
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
