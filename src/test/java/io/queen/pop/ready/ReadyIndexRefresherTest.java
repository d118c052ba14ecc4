package io.queen.pop.ready;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.pop.ready.ReadyQuestions.Answer;
import io.queen.runtime.FakeTimers;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReadyIndexRefresherTest {
    private static final long SECOND = 1_000_000_000L;

    private final ReadyIndex index = ReadyFixtures.index(new FakeTimers(), new Pauses());
    private final Log log = new Log();

    /** A push log without changes, which fails for the portions that the test names. */
    private static final class Log implements ReadyQuestions {
        private final List<List<String>> asked = new ArrayList<>();
        private final Set<Integer> failing = new HashSet<>();

        @Override
        public Uni<List<Answer>> changesSince(List<Question> questions) {
            asked.add(questions.stream().map(Question::queue).toList());
            return failing.contains(asked.size())
                    ? Uni.createFrom().failure(new IllegalStateException("portion " + asked.size()))
                    : Uni.createFrom()
                            .item(questions.stream()
                                    .map(question -> new Answer(List.of(), null, "2"))
                                    .toList());
        }

        @Override
        public Uni<List<Found>> checkPartitions(String group, UUID[] partitions) {
            throw new AssertionError();
        }
    }

    private void known(String queue, long seconds) {
        long then = System.nanoTime() - seconds * SECOND;
        ReadyPartitions ready = index.of(queue, "g");
        ready.answer(ready.question(then), new Answer(List.of(), null, "1"), then, then);
    }

    private void manyKnown(int count) {
        IntStream.range(0, count).forEach(i -> known("q" + i, 15));
    }

    private void refresh() {
        ReadyIndexRefresher.refresh(index, log).await().indefinitely();
    }

    @Test
    void refresh_askedLately_orNotToBeBuiltOn_isLeftAlone() {
        known("lately", 1);
        known("aging", 15);
        known("too old", 60);
        index.of("never asked", "g");
        refresh();
        assertThat(log.asked).containsExactly(List.of("aging"));
    }

    @Test
    void refresh_nothingToAsk_sendsNoStatement() {
        known("lately", 1);
        refresh();
        assertThat(log.asked).isEmpty();
    }

    @Test
    void refresh_manyToAsk_comeInPortionsEachOnce() {
        manyKnown(1000);
        refresh();
        assertThat(log.asked)
                .hasSize(2)
                .allSatisfy(portion -> assertThat(portion).hasSize(500));
        assertThat(log.asked.stream().flatMap(List::stream)).doesNotHaveDuplicates();
        refresh();
        assertThat(log.asked).hasSize(2);
    }

    @Test
    void refresh_onePortionFails_theOthersAreAskedAndTheFailureIsTold() {
        manyKnown(1500);
        log.failing.add(1);
        assertThatThrownBy(this::refresh).hasMessage("portion 1");
        assertThat(log.asked).hasSize(3);
        refresh();
        assertThat(log.asked).hasSize(4);
        assertThat(log.asked.get(3)).containsExactlyInAnyOrderElementsOf(log.asked.get(0));
    }
}
