package io.queen.push;

import io.queen.database.Connection;
import io.smallrye.mutiny.Uni;
import java.util.UUID;

/** Runs the statement of a push once, for a partition that does not exist. */
final class PushWarmUp {
    private PushWarmUp() {}

    static Uni<Void> on(Connection connection) {
        UUID[] none = {new UUID(0, 0)};
        Integer[] one = {1};
        String[] text = {"null"};
        PushStore.Call call = new PushStore.Call(
                none, one, one, one, text, none, text, none, new Boolean[1], new String[1], null, null, null);
        return PushStore.push(connection, call, false).replaceWithVoid();
    }
}
