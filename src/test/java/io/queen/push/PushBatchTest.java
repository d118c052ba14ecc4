package io.queen.push;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.UuidV7;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PushBatchTest {
    private static final UUID LOW = UUID.fromString("10000000-0000-4000-8000-000000000000");
    private static final UUID HIGH = UUID.fromString("f0000000-0000-4000-8000-000000000000");
    private static final Map<PartitionName, UUID> LANES =
            Map.of(new PartitionName("q", "low"), LOW, new PartitionName("q", "high"), HIGH);
    private static final PushStore.Answer STORED = new PushStore.Answer(false, null, null, null, null);

    private final UuidV7 ids = new UuidV7();

    @Test
    void call_lanesAboveTheSignBit_ascendByUnsignedBytes() {
        PushStore.Call call = call(request("high/a", "low/b", "high/c"));
        assertThat(call.partitionIds()).containsExactly(LOW, HIGH);
        assertThat(call.partitionCounts()).containsExactly(1, 2);
        assertThat(call.partition()).containsExactly(2, 1, 2);
        assertThat(call.nth()).containsExactly(1, 1, 2);
    }

    @Test
    void byBytes_lowHalvesDiffer_comparesUnsigned() {
        UUID one = UUID.fromString("10000000-0000-4000-7000-000000000000");
        assertThat(PushBatch.BY_BYTES.compare(one, LOW)).isNegative();
        assertThat(PushBatch.BY_BYTES.compare(LOW, LOW)).isZero();
    }

    @Test
    void call_severalRequests_keepsTheOrderOfArrival() {
        PushStore.Call call = call(request("low/a"), request("high/b", "low/c"));
        assertThat(call.transactionIds()).containsExactly("a", "b", "c");
        assertThat(call.payloads()).containsExactly("\"a\"", "\"b\"", "\"c\"");
    }

    @Test
    void results_sameIdTwiceInAList_firstIsQueuedLaterIsItsDuplicate() {
        PushRequest first = request("low/a", "low/a");
        PushRequest second = request("low/a", "high/a");
        PushBatch assembly = new PushBatch(List.of(first, second), LANES);
        assertThat(plain(assembly).transactionIds()).containsExactly("a", "a");
        UUID winner = first.messageIds()[0];
        assertThat(assembly.results(STORED))
                .containsExactly(
                        List.of(PushResult.queued(winner, LOW), PushResult.duplicate(winner, LOW)),
                        List.of(PushResult.duplicate(winner, LOW), PushResult.queued(second.messageIds()[1], HIGH)));
    }

    @Test
    void results_storedBefore_giveTheStoredIdToEveryRepetition() {
        UUID stored = UUID.randomUUID();
        PushRequest request = request("low/a", "low/b", "low/b");
        PushBatch assembly = new PushBatch(List.of(request), LANES);
        PushStore.Answer answer = new PushStore.Answer(false, new Integer[] {2}, new UUID[] {stored}, null, null);
        assertThat(assembly.results(answer).get(0))
                .containsExactly(
                        PushResult.queued(request.messageIds()[0], LOW),
                        PushResult.duplicate(stored, LOW),
                        PushResult.duplicate(stored, LOW));
    }

    @Test
    void results_sentAgainAndFoundUnderOurOwnId_isQueued() {
        PushRequest request = request("low/a");
        PushBatch assembly = new PushBatch(List.of(request), LANES);
        UUID own = request.messageIds()[0];
        PushStore.Answer answer = new PushStore.Answer(false, new Integer[] {1}, new UUID[] {own}, null, null);
        assertThat(assembly.results(answer).get(0)).containsExactly(PushResult.queued(own, LOW));
    }

    @Test
    void results_refused_tellTheReasonToEveryRepetition() {
        PushRequest request = request("low/a", "low/b", "low/b");
        PushBatch assembly = new PushBatch(List.of(request), LANES);
        PushStore.Answer answer = new PushStore.Answer(false, null, null, new Integer[] {2}, new String[] {"full"});
        assertThat(assembly.results(answer).get(0))
                .containsExactly(
                        PushResult.queued(request.messageIds()[0], LOW),
                        PushResult.failed("full"),
                        PushResult.failed("full"));
    }

    @Test
    void firstDuplicate_none_isMinusOne() {
        assertThat(new PushBatch(List.of(request("low/a", "high/a")), LANES).firstDuplicate())
                .isEqualTo(-1);
        assertThat(new PushBatch(List.of(request("low/a", "high/a", "low/a")), LANES).firstDuplicate())
                .isEqualTo(2);
    }

    private static PushStore.Call call(PushRequest... requests) {
        return plain(new PushBatch(List.of(requests), LANES));
    }

    private static PushStore.Call plain(PushBatch assembly) {
        return assembly.call(null, queue -> false);
    }

    /** Of items written {@code partition/transactionId}. */
    private PushRequest request(String... items) {
        return PushRequest.of(Stream.of(items).map(PushBatchTest::item).toList(), ids);
    }

    private static PushItem item(String text) {
        String[] parts = text.split("/", 2);
        return new PushItem("q", parts[0], parts[1], null, '"' + parts[1] + '"', null);
    }
}
