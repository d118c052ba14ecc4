package io.queen.sidecar;

import io.queen.ack.AckCall;
import io.queen.database.Connection;
import io.queen.message.Ack;
import io.queen.message.AckStatus;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.message.Renewal;
import io.queen.pop.LeaseCall;
import io.queen.pop.PopStore;
import io.queen.push.PushCall;
import io.queen.push.WriteStore;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.UUID;

/**
 * Runs each hot statement once on a new connection, about things that do not exist: PostgreSQL compiles functions and
 * makes plans per connection, and the first request should not pay for that. Nothing is written.
 */
public final class StatementWarmUp {
    private static final UUID NOBODY = new UUID(0, 0);

    private StatementWarmUp() {}

    public static Uni<Void> run(Connection connection) {
        LeaseCall lease = new LeaseCall();
        lease.add(0, new PopRequest(new PopTarget.Queue(""), "", 1, 1, false, null, NOBODY, null), NOBODY);
        Ack ack = new Ack(NOBODY, "", "", NOBODY, AckStatus.COMPLETED, null);
        UUID[] nobody = {NOBODY};
        return PopStore.news(connection, List.of(new PopStore.Question("", "", null, null, 1)))
                .flatMap(swept -> PopStore.news(
                        connection,
                        List.of(new PopStore.Question("", "", swept.get(0).mark(), null, 1))))
                .flatMap(done -> PopStore.take(connection, lease, false, 1))
                .flatMap(done -> WriteStore.push(connection, push(nobody), false))
                .flatMap(done -> WriteStore.ack(connection, AckCall.of(List.of(ack)), false))
                .flatMap(done -> WriteStore.renew(connection, List.of(new Renewal(NOBODY, 1))))
                .replaceWithVoid();
    }

    private static PushCall push(UUID[] nobody) {
        Integer[] one = {1};
        String[] text = {"null"};
        return new PushCall(nobody, one, one, one, text, nobody, text, nobody, new Boolean[1], new String[1], null);
    }
}
