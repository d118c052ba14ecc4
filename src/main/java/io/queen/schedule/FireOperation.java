package io.queen.schedule;

import io.queen.database.Connection;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.UuidV7;
import io.queen.push.PushOperation;
import io.queen.push.PushRequest;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.queen.sidecar.Operation;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;

/** Fires schedules: each is one call of {@code fire_schedule_v1}. */
@Singleton
final class FireOperation implements BatchOperation<FireOperation.Request, FireOperation.Outcome> {
    private static final int MAX_TRIES = 3;

    private final PushOperation pushing;

    FireOperation(PushOperation pushing) {
        this.pushing = pushing;
    }

    /** A schedule as it was read, what is due of it, and the messages of that. */
    record Request(Schedule schedule, DueTimes due, PushRequest pushes) {
        static Request of(Schedule schedule, DueTimes due, UuidV7 ids) {
            List<PushItem> items = due.times().stream().map(schedule::item).toList();
            return new Request(schedule, due, PushRequest.of(items, ids));
        }
    }

    /**
     * What became of it.
     *
     * @param fired false when the schedule had changed, or another server was at it
     * @param again it was sent twice, and the first call may have fired it
     * @param results one for each due time, as if it was fired
     */
    record Outcome(boolean fired, boolean again, List<PushResult> results) {}

    @Override
    public Operation kind() {
        return Operation.SCHEDULE;
    }

    @Override
    public boolean alone() {
        return true;
    }

    @Override
    public int items(Request request) {
        return request.due().times().size();
    }

    @Override
    public long bytes(Request request) {
        return request.pushes().bytes();
    }

    @Override
    public Set<LockKey> locks(Request request) {
        return pushing.locks(request.pushes());
    }

    @Override
    public Uni<List<Outcome>> run(Connection connection, List<Request> requests, boolean again) {
        return attempt(connection, requests.get(0), again, MAX_TRIES).map(List::of);
    }

    private Uni<Outcome> attempt(Connection connection, Request request, boolean again, int tries) {
        List<PushRequest> pushes = List.of(request.pushes());
        return pushing.prepare(connection, pushes)
                .flatMap(prepared -> ScheduleStore.fire(connection, prepared.call(), request.schedule(), request.due())
                        .flatMap(answer -> {
                            if (answer.pushed().missing()) {
                                pushing.forget(pushes);
                                return retry(connection, request, again, tries);
                            }
                            return Uni.createFrom()
                                    .item(new Outcome(
                                            answer.fired(),
                                            again,
                                            prepared.batch()
                                                    .results(answer.pushed())
                                                    .get(0)));
                        }));
    }

    private Uni<Outcome> retry(Connection connection, Request request, boolean again, int tries) {
        return tries == 1
                ? Uni.createFrom().failure(PushOperation.deletedAgainAndAgain())
                : attempt(connection, request, again, tries - 1);
    }
}
