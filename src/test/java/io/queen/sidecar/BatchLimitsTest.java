package io.queen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BatchLimitsTest {

    @Test
    void cut_nothing_isNothing() {
        assertThat(cut(10, 100)).isEmpty();
    }

    @Test
    void cut_allFits_isOneBatch() {
        assertThat(cut(10, 100, "5:50", "5:50")).containsExactly(List.of("5:50", "5:50"));
    }

    @Test
    void cut_tooManyItems_startsANewBatch() {
        assertThat(cut(10, 100, "5:1", "5:1", "1:1")).containsExactly(List.of("5:1", "5:1"), List.of("1:1"));
    }

    @Test
    void cut_tooManyBytes_startsANewBatch() {
        assertThat(cut(10, 100, "1:60", "1:40", "1:1")).containsExactly(List.of("1:60", "1:40"), List.of("1:1"));
    }

    @Test
    void cut_oneRequestAboveTheLimit_isABatchOfItsOwn() {
        assertThat(cut(10, 100, "1:1", "50:1", "1:1", "1:500", "1:1"))
                .containsExactly(List.of("1:1"), List.of("50:1"), List.of("1:1"), List.of("1:500"), List.of("1:1"));
    }

    private static List<List<String>> cut(int maxItems, long maxBytes, String... requests) {
        List<QueuedRequest<String, String>> queued =
                Stream.of(requests).map(BatchLimitsTest::queued).toList();
        return new BatchLimits(maxItems, maxBytes, Duration.ZERO, 1, 1, true)
                .cut(queued).stream()
                        .map(batch -> batch.stream().map(QueuedRequest::request).toList())
                        .toList();
    }

    private static QueuedRequest<String, String> queued(String request) {
        String[] size = request.split(":", 2);
        return new QueuedRequest<>(
                request, Integer.parseInt(size[0]), Long.parseLong(size[1]), 0, null, null, null, 0, false);
    }
}
