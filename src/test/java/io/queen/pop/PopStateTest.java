package io.queen.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.Claim;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.message.PoppedMessage;
import io.queen.pop.PopState.Fetching;
import io.queen.pop.PopState.Leasing;
import io.queen.pop.PopState.Pending;
import io.queen.pop.ready.PopMetrics.Phase;
import io.queen.pop.ready.ReadyFixtures;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PopStateTest {
    private static final PopRequest REQUEST =
            new PopRequest(new PopTarget.Queue("q"), "g", 1, 1, false, null, UUID.randomUUID(), null);
    private static final Candidate PARTITION =
            new Candidate(new PopAttempt(REQUEST, ReadyFixtures.metrics()), UUID.randomUUID(), null);
    private static final Claim CLAIM = new Claim(PARTITION.partitionId(), "q", "p", "g", 0, 1, UUID.randomUUID(), 2);

    @Test
    void pending_namedPartition_leasesIt() {
        Leasing leasing = new Pending().lease(PARTITION);
        assertThat(leasing.candidates()).containsExactly(PARTITION);
    }

    @Test
    void pending_unknownPartition_isEmptyAndKnowsNoTime() {
        assertThat(new Pending().empty().result().dueMillis()).isEqualTo(-1);
    }

    @Test
    void resolving_nothing_isEmptyUntilDue() {
        assertThat(new Pending().resolve().empty(70).result().dueMillis()).isEqualTo(70);
    }

    @Test
    void leasing_heldByAnother_isEmptyUntilDue() {
        assertThat(new Pending().lease(PARTITION).empty(90).result().dueMillis())
                .isEqualTo(90);
    }

    @Test
    void fetching_messages_completesWithThem() {
        PoppedMessage message = new PoppedMessage(
                CLAIM,
                1,
                UUID.randomUUID(),
                "t",
                null,
                "{}",
                false,
                null,
                OffsetDateTime.now(ZoneOffset.UTC),
                null,
                null);
        Fetching fetching = new Pending().lease(PARTITION).fetch(List.of(PARTITION));
        var result = fetching.complete(List.of(CLAIM), List.of(message)).result();
        assertThat(result.messages()).containsExactly(message);
        assertThat(result.claims()).containsExactly(CLAIM);
        assertThat(result.isEmpty()).isFalse();
    }

    @Test
    void phase_anyState_isItsOwn() {
        Leasing leasing = new Pending().lease(PARTITION);
        assertThat(new Pending().phase()).isEqualTo(Phase.PENDING);
        assertThat(new Pending().resolve().phase()).isEqualTo(Phase.RESOLVING);
        assertThat(leasing.phase()).isEqualTo(Phase.LEASING);
        assertThat(leasing.fetch(List.of()).phase()).isEqualTo(Phase.FETCHING);
        assertThat(leasing.empty(0).phase()).isEqualTo(Phase.EMPTY);
        assertThat(leasing.fetch(List.of()).complete(List.of(), List.of()).phase())
                .isEqualTo(Phase.COMPLETED);
    }
}
