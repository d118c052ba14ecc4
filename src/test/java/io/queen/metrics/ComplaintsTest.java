package io.queen.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ComplaintsTest {
    private final AtomicLong now = new AtomicLong();
    private final List<String> lines = new ArrayList<>();
    private final Complaints complaints = new Complaints(now::get, lines::add);

    @Test
    void failed_firstTime_isSaidAtOnce() {
        complaints.failed("It fails", new IOException("no room"));
        assertThat(lines).containsExactly("It fails: no room");
    }

    @Test
    void failed_manyTimes_isOneLineAMinuteWithTheCountAndTheFirstCause() {
        for (int i = 0; i < 698; i++) {
            complaints.failed("It fails", new IOException("reason " + i));
        }
        pass(59);
        assertThat(lines).hasSize(1);
        pass(1);
        assertThat(lines)
                .containsExactly("It fails: reason 0", "It fails: 697 more times within a minute, the first: reason 1");
        pass(600);
        assertThat(lines).hasSize(2);
    }

    @Test
    void failed_afterAQuietMinute_isSaidAtOnceAgain() {
        complaints.failed("It fails", new IOException("a"));
        pass(60);
        complaints.failed("It fails", new IOException("b"));
        assertThat(lines).containsExactly("It fails: a", "It fails: b");
    }

    @Test
    void failed_twoThings_haveALineEach() {
        complaints.failed("One fails", new IOException("a"));
        complaints.failed("Another fails", new IOException("b"));
        assertThat(lines).containsExactly("One fails: a", "Another fails: b");
    }

    @Test
    void failed_databaseAway_isOneComplaintForAll() {
        for (String what : List.of("One fails", "Another fails", "One fails")) {
            complaints.failed(
                    what, new QueenException(ErrorCode.DATABASE_UNAVAILABLE, "away", new IOException("refused")));
        }
        pass(60);
        assertThat(lines)
                .containsExactly(
                        "PostgreSQL can't be reached: One fails: away: refused",
                        "PostgreSQL can't be reached: 2 more times within a minute, the first: Another fails: away: refused");
    }

    @Test
    void failed_causeWithLineBreaksAndNoEnd_staysOneLine() {
        complaints.failed("It fails", new IOException("a\nb\u001b[31m" + "c".repeat(10_000)));
        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("It fails: a b [31mc")
                .hasSizeLessThan(600);
    }

    @Test
    void stop_always_saysWhatHasGatheredAndNoMore() {
        complaints.failed("It fails", new IOException("a"));
        complaints.failed("It fails", new IOException("b"));
        complaints.stop(null);
        complaints.failed("Another fails", new IOException("c"));
        assertThat(lines).containsExactly("It fails: a", "It fails: 1 more times within a minute, the first: b");
    }

    private void pass(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
        complaints.tell();
    }
}
