package io.queen.pop.ready;

import io.smallrye.mutiny.Uni;
import java.util.UUID;

/** Looks at partitions that are said to be ready, many at once, and has those forgotten that have nothing. */
public final class ReadyCheck {
    private ReadyCheck() {}

    /** For that group. One partition alone is as soon tried as looked at. */
    public static Uni<Void> of(ReadyPartitions ready, String group, ReadyQuestions questions) {
        UUID[] check = ready.beginCheck(ReadyStore.PAGE, System.nanoTime());
        return check.length < 2
                ? Uni.createFrom().voidItem()
                : questions
                        .checkPartitions(group, check)
                        .invoke(found -> ready.endCheck(check, found, System.nanoTime()))
                        .replaceWithVoid();
    }
}
