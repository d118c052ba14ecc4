package io.queen.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.pop.FakePopDatabase.Partition;
import io.queen.pop.ready.Pause;
import io.queen.pop.ready.Pauses;
import io.queen.pop.ready.ReadyFixtures;
import io.queen.pop.ready.ReadyIndex;
import io.queen.runtime.FakeTimers;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResolverTest {
    private static final PopTarget.Filter FILTER = new PopTarget.Filter("shop", null);

    private final FakePopDatabase database = new FakePopDatabase();
    private final Pauses pauses = new Pauses();
    private final ReadyIndex index = ReadyFixtures.index(new FakeTimers(), pauses);
    private final List<String> subscribed = new ArrayList<>();
    private final Resolver resolver = new Resolver(
            database, index, ReadyFixtures.metrics(), new FilteredQueues(database, index, (request, queues) -> {
                subscribed.addAll(queues);
                return Uni.createFrom().voidItem();
            }));

    private static PopAttempt attempt(PopTarget target, int partitions) {
        PopRequest request = new PopRequest(target, "g", 10, partitions, false, null, UUID.randomUUID(), null);
        PopAttempt attempt = new PopAttempt(request, ReadyFixtures.metrics());
        attempt.begin(null);
        return attempt;
    }

    private static PopAttempt any(int partitions) {
        return attempt(new PopTarget.Queue("q"), partitions);
    }

    private void prepare(PopAttempt... attempts) {
        await(resolver.prepare(List.of(attempts)));
    }

    private static void await(Uni<Void> done) {
        done.await().atMost(Duration.ofSeconds(5));
    }

    private List<UUID> take(PopAttempt attempt) {
        return resolver.take(attempt).stream().map(Candidate::partitionId).toList();
    }

    @Test
    void prepare_nothingKnown_scansPageByPageUntilSomethingIsReady() {
        database.page = 2;
        IntStream.range(0, 4).forEach(i -> database.add("q", "p" + i, 0));
        Partition full = database.add("q", "p4", 1);
        IntStream.range(5, 9).forEach(i -> database.add("q", "p" + i, 1));
        PopAttempt attempt = any(1);
        prepare(attempt);
        assertThat(database.calls).containsExactly("scan q after null", "scan q after p1", "scan q after p3");
        assertThat(take(attempt)).containsExactly(full.id);
    }

    @Test
    void prepare_allIsEmpty_scansOnceAndThenAsksForChanges() {
        database.add("q", "p", 0);
        prepare(any(1));
        assertThat(database.calls).containsExactly("scan q after null");
        database.calls.clear();
        prepare(any(1));
        assertThat(database.calls).containsExactly("changes");
    }

    @Test
    void prepare_enoughIsReady_asksNothing() {
        IntStream.range(0, 3).forEach(i -> database.add("q", "p" + i, 1));
        prepare(any(1));
        database.calls.clear();
        prepare(any(3));
        assertThat(database.calls).isEmpty();
    }

    @Test
    void prepare_severalPopsOfOneQueue_askOnce() {
        database.add("q", "p", 1);
        prepare(any(1), any(1));
        assertThat(database.calls).containsExactly("scan q after null");
    }

    @Test
    void take_severalPartitionsWanted_offersTwiceAsMany() {
        IntStream.range(0, 9).forEach(i -> database.add("q", "p" + i, 1));
        PopAttempt attempt = any(3);
        prepare(attempt);
        assertThat(take(attempt)).hasSize(6);
        assertThat(take(any(1))).hasSize(1);
    }

    @Test
    void prepare_filter_asksForItsQueuesOnceAndSubscribesToThem() {
        database.queuesByNamespace.put("shop", List.of("urgent", "slow"));
        Partition slow = database.add("slow", "p", 1);
        PopAttempt first = attempt(FILTER, 1);
        prepare(first, attempt(FILTER, 1));
        assertThat(database.calls.stream().filter("queues"::equals)).hasSize(1);
        assertThat(subscribed).containsExactly("urgent", "slow", "urgent", "slow");
        assertThat(index.of(FILTER, "g").queues()).containsExactlyInAnyOrder("urgent", "slow");
        assertThat(take(first)).containsExactly(slow.id);
    }

    @Test
    void take_filter_takesFromTheFirstQueueThatHasSome() {
        database.queuesByNamespace.put("shop", List.of("urgent", "slow"));
        Partition urgent = database.add("urgent", "p", 1);
        Partition slow = database.add("slow", "p", 1);
        PopAttempt attempt = attempt(FILTER, 1);
        prepare(attempt);
        assertThat(take(attempt)).containsExactly(urgent.id);
        assertThat(take(attempt)).containsExactly(slow.id);
        assertThat(take(attempt)).isEmpty();
    }

    @Test
    void take_filterWithAPausedQueue_leavesThatOut() {
        database.queuesByNamespace.put("shop", List.of("urgent", "slow"));
        database.add("urgent", "p", 1);
        Partition slow = database.add("slow", "p", 1);
        pauses.replace(List.of(new Pause("urgent", null, null)));
        PopAttempt attempt = attempt(FILTER, 1);
        prepare(attempt);
        assertThat(take(attempt)).containsExactly(slow.id);
        assertThat(database.calls).doesNotContain("scan urgent after null");
    }

    @Test
    void check_partitionsThatOthersEmptied_areForgotten() {
        List<Partition> all = IntStream.range(0, 3)
                .mapToObj(i -> database.add("q", "p" + i, 1))
                .toList();
        PopAttempt attempt = any(3);
        prepare(attempt);
        all.get(0).cursor = 1;
        all.get(2).cursor = 1;
        await(resolver.check(List.of(attempt)));
        assertThat(database.calls).contains("check 3");
        assertThat(take(attempt)).containsExactly(all.get(1).id);
    }

    @Test
    void check_onePartition_isTriedInstead() {
        database.add("q", "p", 1);
        PopAttempt attempt = any(1);
        prepare(attempt);
        await(resolver.check(List.of(attempt)));
        assertThat(database.calls).doesNotContain("check 1");
    }

    @Test
    void dueMillis_leasedPartitions_isTheTimeOfTheFirst() {
        database.add("q", "p", 1).lease = UUID.randomUUID();
        PopAttempt attempt = any(1);
        assertThat(resolver.dueMillis(attempt.request())).isEqualTo(-1);
        prepare(attempt);
        assertThat(take(attempt)).isEmpty();
        assertThat(resolver.dueMillis(attempt.request())).isBetween(50_000L, 60_001L);
    }
}
