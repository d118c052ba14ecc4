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

    private final BufferedPartitions lanes = new BufferedPartitions();
    private final List<String> ran = new ArrayList<>();

    @Test
    void free_last_letsGoWhoWaits() {
        lanes.hold(Map.of(P, 2, OTHER, 1));
        assertThat(lanes.whenFree(P, () -> ran.add("p"))).isTrue();
        lanes.free(Map.of(P, 1, OTHER, 1));
        assertThat(ran).isEmpty();
        assertThat(lanes.messages()).isEqualTo(1);
        lanes.free(Map.of(P, 1));
        assertThat(ran).containsExactly("p");
        assertThat(lanes.isEmpty()).isTrue();
    }

    @Test
    void whenFree_freeAlready_doesNotWait() {
        lanes.hold(Map.of(OTHER, 1));
        assertThat(lanes.whenFree(P, () -> ran.add("p"))).isFalse();
        assertThat(ran).isEmpty();
    }

    @Test
    void forget_waited_isNotLetGo() {
        Runnable action = () -> ran.add("p");
        lanes.hold(Map.of(P, 1));
        lanes.whenFree(P, action);
        lanes.forget(P, action);
        lanes.free(Map.of(P, 1));
        assertThat(ran).isEmpty();
    }

    @Test
    void firstHeld_severalItems_isThatOfTheFirstHeld() {
        lanes.hold(Map.of(OTHER, 1));
        assertThat(lanes.firstHeld(List.of(item("p"), item("other")))).isEqualTo(OTHER);
        assertThat(lanes.firstHeld(List.of(item("p")))).isNull();
    }

    private static PushItem item(String partition) {
        return new PushItem("q", partition, "t", null, "1", null);
    }
}
