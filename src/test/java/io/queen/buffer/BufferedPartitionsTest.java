package io.queen.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BufferedPartitionsTest {
    private static final PartitionName P = new PartitionName("q", "p");
    private static final PartitionName OTHER = new PartitionName("q", "other");

    private final BufferedPartitions partitions = new BufferedPartitions();
    private final List<String> ran = new ArrayList<>();

    @Test
    void remove_last_runsWhatWaits() {
        partitions.add(Map.of(P, 2, OTHER, 1));
        assertThat(partitions.whenDrained(P, () -> ran.add("p"))).isTrue();
        partitions.remove(Map.of(P, 1, OTHER, 1));
        assertThat(ran).isEmpty();
        assertThat(partitions.messages()).isEqualTo(1);
        partitions.remove(Map.of(P, 1));
        assertThat(ran).containsExactly("p");
        assertThat(partitions.isEmpty()).isTrue();
    }

    @Test
    void whenDrained_notBuffered_doesNotWait() {
        partitions.add(Map.of(OTHER, 1));
        assertThat(partitions.whenDrained(P, () -> ran.add("p"))).isFalse();
        assertThat(ran).isEmpty();
    }

    @Test
    void forget_waited_isNotRun() {
        Runnable action = () -> ran.add("p");
        partitions.add(Map.of(P, 1));
        partitions.whenDrained(P, action);
        partitions.forget(P, action);
        partitions.remove(Map.of(P, 1));
        assertThat(ran).isEmpty();
    }

    @Test
    void firstOf_severalItems_isTheFirstBuffered() {
        partitions.add(Map.of(OTHER, 1));
        assertThat(partitions.firstOf(List.of(item("p"), item("other")))).isEqualTo(OTHER);
        assertThat(partitions.firstOf(List.of(item("p")))).isNull();
    }

    private static PushItem item(String partition) {
        return new PushItem("q", partition, "t", null, "1", null);
    }
}
