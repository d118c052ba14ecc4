package io.queen.pop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.message.Claim;
import io.queen.message.PartitionName;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.message.PoppedMessage;
import io.queen.pop.FakePopDatabase.Partition;
import io.queen.pop.ready.Pauses;
import io.queen.pop.ready.PopMetrics;
import io.queen.pop.ready.ReadyFixtures;
import io.queen.pop.ready.ReadyIndex;
import io.queen.runtime.FakeTimers;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PopBatchTest {
    private static final PopTarget ANY = new PopTarget.Queue("q");

    private final FakePopDatabase database = new FakePopDatabase();
    private final ReadyIndex index = ReadyFixtures.index(new FakeTimers(), new Pauses());
    private final PopMetrics metrics = ReadyFixtures.metrics();
    private long maxBytes = 1_000_000;

    private static PopRequest pop(PopTarget target) {
        return pop(target, 10, 1, false);
    }

    private static PopRequest pop(PopTarget target, int batch, int partitions, boolean autoAck) {
        return new PopRequest(target, "g", batch, partitions, autoAck, null, UUID.randomUUID(), null);
    }

    private static PopTarget partition(String name) {
        return new PopTarget.Partition("q", name);
    }

    private List<PopResult> run(PopRequest... requests) {
        return run(false, requests);
    }

    private List<PopResult> run(boolean again, PopRequest... requests) {
        FilteredQueues filtered = new FilteredQueues(
                database, index, (request, queues) -> Uni.createFrom().voidItem());
        Resolver resolver = new Resolver(database, index, metrics, filtered);
        return new PopBatch(database, database, resolver, metrics, List.of(requests), again, maxBytes)
                .run()
                .await()
                .atMost(Duration.ofSeconds(5));
    }

    private static List<String> partitions(PopResult result) {
        return result.claims().stream().map(Claim::partition).toList();
    }

    private static List<Long> numbers(PopResult result) {
        return result.messages().stream().map(PoppedMessage::seq).toList();
    }

    @Test
    void run_severalPops_eachGetsAPartitionOfItsOwnByOneStatement() {
        IntStream.range(0, 3).forEach(i -> database.add("q", "p" + i, 2));
        List<PopResult> results = run(pop(ANY), pop(ANY), pop(ANY));
        assertThat(results.stream().flatMap(result -> partitions(result).stream()))
                .containsExactlyInAnyOrder("p0", "p1", "p2");
        assertThat(results).allSatisfy(result -> assertThat(numbers(result)).containsExactly(1L, 2L));
        assertThat(database.calls).containsExactly("scan q after null", "take 3");
    }

    @Test
    void run_morePopsThanPartitions_theRestIsEmpty() {
        database.add("q", "p", 2);
        List<PopResult> results = run(pop(ANY), pop(ANY));
        assertThat(results.get(0).messages()).hasSize(2);
        assertThat(results.get(1).isEmpty()).isTrue();
    }

    @Test
    void run_severalPartitionsWanted_fillsTheBatchAndPutsBackWhatItDoesNotNeed() {
        IntStream.range(0, 4).forEach(i -> database.add("q", "p" + i, 3));
        PopResult result = run(pop(ANY, 5, 2, false)).get(0);
        assertThat(partitions(result)).containsExactly("p0", "p1");
        assertThat(result.messages()).hasSize(5);
        assertThat(index.of("q", "g").readyCount(System.nanoTime())).isEqualTo(2);
    }

    @Test
    void run_samePartitionNamedTwice_secondIsEmpty() {
        database.add("q", "p", 2);
        List<PopResult> results = run(pop(partition("p")), pop(partition("p")));
        assertThat(numbers(results.get(0))).containsExactly(1L, 2L);
        assertThat(results.get(1).isEmpty()).isTrue();
        assertThat(results.get(1).dueMillis()).isEqualTo(-1);
        assertThat(database.calls).containsExactly("find", "take 1");
    }

    @Test
    void run_partitionNamedAndOfferedToAnother_theOtherGetsTheNext() {
        database.add("q", "a", 1);
        database.add("q", "b", 1);
        List<PopResult> results = run(pop(partition("a")), pop(ANY));
        assertThat(partitions(results.get(0))).containsExactly("a");
        assertThat(partitions(results.get(1))).containsExactly("b");
    }

    @Test
    void run_partitionThatDoesNotExist_isEmptyWithoutATry() {
        assertThat(run(pop(partition("none"))).get(0).isEmpty()).isTrue();
        assertThat(database.calls).containsExactly("find");
    }

    @Test
    void run_namedPartitionIsAnotherOneNow_isAskedForByNameAgain() {
        database.delete(database.add("q", "p", 1));
        UUID old = database.known.get(new PartitionName("q", "p"));
        Partition fresh = database.add("q", "p", 3);
        database.known.put(fresh.name, old);
        assertThat(run(pop(partition("p"))).get(0).messages()).hasSize(3);
        assertThat(database.forgotten).containsExactly(fresh.name);
    }

    @Test
    void run_claimedMessagesWereRemoved_givesThemBackAndTriesAnotherPartition() {
        Partition removed = database.add("q", "a", 1);
        removed.removed.add(1L);
        database.add("q", "b", 1);
        PopResult result = run(pop(ANY)).get(0);
        assertThat(partitions(result)).containsExactly("b");
        assertThat(database.released).extracting(Claim::partitionId).containsExactly(removed.id);
        assertThat(removed.cursor).isEqualTo(1);
    }

    @Test
    void run_claimedMessagesOfNamedPartitionWereRemoved_goesOnBehindThem() {
        Partition partition = database.add("q", "p", 4);
        partition.removed.addAll(List.of(1L, 2L));
        PopResult result = run(pop(partition("p"), 2, 1, false)).get(0);
        assertThat(numbers(result)).containsExactly(3L, 4L);
    }

    @Test
    void run_anotherServerWasFaster_triesTheNextCandidate() {
        Partition lost = database.add("q", "a", 1);
        database.add("q", "b", 1);
        database.beforeTake = () -> lost.lease = UUID.randomUUID();
        assertThat(partitions(run(pop(ANY)).get(0))).containsExactly("b");
        assertThat(database.calls).containsExactly("scan q after null", "take 1", "take 1");
    }

    @Test
    void run_othersAreAtEveryCandidate_givesUpForNow() {
        IntStream.range(0, 30).forEach(i -> database.add("q", "p" + i, 1).locked = true);
        PopResult result = run(pop(ANY)).get(0);
        assertThat(result.isEmpty()).isTrue();
        assertThat(database.calls.stream().filter("take 1"::equals)).hasSize(16);
    }

    @Test
    void run_leasedPartitionNamed_isEmptyUntilTheLeaseExpires() {
        database.add("q", "p", 1).lease = UUID.randomUUID();
        assertThat(run(pop(partition("p"))).get(0).dueMillis()).isEqualTo(60_000);
    }

    @Test
    void run_autoAck_takesNoLeaseAndThePartitionIsServedAgain() {
        Partition partition = database.add("q", "p", 3);
        PopResult first = run(pop(ANY, 2, 1, true)).get(0);
        assertThat(first.claims().get(0).leaseId()).isNull();
        assertThat(numbers(first)).containsExactly(1L, 2L);
        assertThat(numbers(run(pop(ANY, 2, 1, true)).get(0))).containsExactly(3L);
        assertThat(partition.lease).isNull();
        assertThat(index.of("q", "g").hasReady()).isFalse();
    }

    @Test
    void run_moreBytesThanAllowed_endsTheLeaseWithWhatIsGiven() {
        database.add("q", "p", 5);
        maxBytes = 2 * FakePopDatabase.PAYLOAD_BYTES;
        PopResult result = run(pop(ANY)).get(0);
        assertThat(numbers(result)).containsExactly(1L, 2L);
        assertThat(database.shortened)
                .containsExactly(new LeaseStatements.Cut(result.claims().get(0), 2));
        assertThat(database.released).isEmpty();
    }

    @Test
    void run_againAfterALostConnection_theLeaseThatWasTakenThenIsItsOwn() {
        PopRequest request = pop(partition("p"));
        database.add("q", "p", 2).lease = request.leaseId();
        assertThat(run(false, request).get(0).isEmpty()).isTrue();
        assertThat(run(true, request).get(0).messages()).hasSize(2);
    }

    @Test
    void run_failure_givesCandidatesBack() {
        database.add("q", "a", 1);
        database.add("q", "b", 1);
        database.failure = new IllegalStateException("gone");
        assertThatThrownBy(() -> run(pop(ANY), pop(ANY))).isSameAs(database.failure);
        assertThat(index.of("q", "g").readyCount(System.nanoTime())).isEqualTo(2);
        database.failure = null;
        assertThat(run(pop(ANY), pop(ANY))).noneMatch(PopResult::isEmpty);
    }

    @Test
    void run_staleCandidates_areCheckedTogetherAfterTwoRounds() {
        List<Partition> all = IntStream.range(0, 50)
                .mapToObj(i -> database.add("q", "p" + i, 1))
                .toList();
        database.beforeTake = () -> all.forEach(one -> one.cursor = one.head);
        assertThat(run(pop(ANY)).get(0).isEmpty()).isTrue();
        assertThat(database.calls).containsExactly("scan q after null", "take 1", "take 1", "check 48", "changes");
    }
}
