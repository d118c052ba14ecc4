package io.queen.sidecar;

import io.queen.database.Connection;
import io.queen.message.PartitionName;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** An operation that notes its calls; the test answers each of them, or lets it fail. */
final class FakeOperation implements BatchOperation<FakeOperation.Job, String> {

    /** @param locks what it has to lock, a letter each */
    record Job(String name, int items, long bytes, String locks) {
        static Job of(String name) {
            return new Job(name, 1, 1, "");
        }

        static Job locking(String locks, String name) {
            return new Job(name, 1, 1, locks);
        }
    }

    /** A call under way. */
    record Call(Connection connection, List<Job> jobs, boolean again, UniEmitter<? super List<String>> emitter) {
        List<String> names() {
            return jobs.stream().map(Job::name).toList();
        }

        void succeed() {
            emitter.complete(names().stream().map(name -> name + " done").toList());
        }

        void fail(Throwable failure) {
            emitter.fail(failure);
        }
    }

    private final Operation kind;
    private final List<Call> calls = new ArrayList<>();
    private String whileLocked;
    private RuntimeException thrown;

    FakeOperation(Operation kind) {
        this.kind = kind;
    }

    static LockKey lock(char letter) {
        return new LockKey.OfPartition(new PartitionName("q", String.valueOf(letter)));
    }

    /** All calls so far. */
    List<Call> calls() {
        return calls;
    }

    Call call(int number) {
        return calls.get(number);
    }

    /** The names of each call. */
    List<List<String>> sent() {
        return calls.stream().map(Call::names).toList();
    }

    void answersWhileLocked(String answer) {
        whileLocked = answer;
    }

    void throwsNext(RuntimeException failure) {
        thrown = failure;
    }

    @Override
    public Operation kind() {
        return kind;
    }

    @Override
    public int items(Job job) {
        return job.items();
    }

    @Override
    public long bytes(Job job) {
        return job.bytes();
    }

    @Override
    public Set<LockKey> locks(Job job) {
        return job.locks().chars().mapToObj(letter -> lock((char) letter)).collect(Collectors.toSet());
    }

    @Override
    public Optional<String> whileLocked(Job job) {
        return Optional.ofNullable(whileLocked);
    }

    @Override
    public Uni<List<String>> run(Connection connection, List<Job> jobs, boolean again) {
        RuntimeException failure = thrown;
        thrown = null;
        if (failure != null) {
            throw failure;
        }
        return Uni.createFrom().emitter(emitter -> calls.add(new Call(connection, jobs, again, emitter)));
    }
}
