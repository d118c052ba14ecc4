package io.queen.pop;

import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.pop.ready.ReadyIndex;
import io.smallrye.mutiny.Uni;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** The queues that the filters of pops let through: asked for once in the life of a batch. */
final class FilteredQueues {
    private final PopStatements statements;
    private final ReadyIndex index;
    private final BiFunction<PopRequest, List<String>, Uni<Void>> subscribe;
    private final Map<PopTarget, List<String>> known = new HashMap<>();

    /** @param subscribe fixes where the group of a pop starts in the queues that its filter lets through */
    FilteredQueues(
            PopStatements statements, ReadyIndex index, BiFunction<PopRequest, List<String>, Uni<Void>> subscribe) {
        this.statements = statements;
        this.index = index;
        this.subscribe = subscribe;
    }

    /** Finds those of all pops that have a filter. */
    Uni<Void> find(List<PopAttempt> attempts) {
        Uni<Void> all = Uni.createFrom().voidItem();
        for (PopAttempt attempt : attempts) {
            PopRequest request = attempt.request();
            if (request.target() instanceof PopTarget.Filter filter) {
                all = all.flatMap(done -> queues(filter)).flatMap(names -> {
                    index.of(filter, request.consumerGroup()).found(names);
                    return subscribe.apply(request, names);
                });
            }
        }
        return all;
    }

    private Uni<List<String>> queues(PopTarget.Filter filter) {
        return known.containsKey(filter)
                ? Uni.createFrom().item(known.get(filter))
                : statements.queues(filter).invoke(names -> known.put(filter, names));
    }

    /** None before they are found. */
    List<String> of(PopRequest request) {
        return known.getOrDefault(request.target(), List.of());
    }
}
