package io.queen.pop;

import io.queen.message.Claim;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PoppedMessage;
import java.util.List;
import java.util.UUID;

/** Where a pop is. Each state offers only the transitions that are legal from it. */
sealed interface PopState {
    PopRequest request();

    /** For metrics. */
    default String label() {
        return getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
    }

    /** Taken, nothing done yet. */
    record Pending(PopRequest request) implements PopState {
        Resolving resolve() {
            return new Resolving(request, 0, 0);
        }

        Leasing lease(UUID partition) {
            return new Leasing(request, List.of(partition), 0, 0);
        }

        Empty empty() {
            return new Empty(request, -1);
        }
    }

    /**
     * Looks for partitions; {@code rounds} counts how often it came back from candidates that were not to be had, and
     * {@code contested} how often because others were at them right then.
     */
    record Resolving(PopRequest request, int rounds, int contested) implements PopState {
        Leasing lease(List<UUID> candidates) {
            return new Leasing(request, candidates, rounds, contested);
        }

        Empty empty(long dueMillis) {
            return new Empty(request, dueMillis);
        }
    }

    /** Tries to get the candidates. */
    record Leasing(PopRequest request, List<UUID> candidates, int rounds, int contested) implements PopState {
        Fetching fetch(List<Claim> claims) {
            return new Fetching(request, claims, rounds, contested);
        }

        /** Nothing to be had of these for now: on with others. */
        Resolving again() {
            return new Resolving(request, rounds + 1, contested);
        }

        /** Others are at them right now. */
        Resolving outrun() {
            return new Resolving(request, rounds + 1, contested + 1);
        }

        /** The partition that was named is gone; there may be a new one of that name. */
        Pending restart() {
            return new Pending(request);
        }

        Empty empty(long dueMillis) {
            return new Empty(request, dueMillis);
        }
    }

    /** Reads the messages of its claims. */
    record Fetching(PopRequest request, List<Claim> claims, int rounds, int contested) implements PopState {
        Completed complete(List<Claim> filled, List<PoppedMessage> messages) {
            return new Completed(request, filled, messages);
        }

        Resolving again() {
            return new Resolving(request, rounds + 1, contested);
        }

        /** What was claimed of a named partition had been removed; there may be more behind it. */
        Leasing lease(UUID partition) {
            return new Leasing(request, List.of(partition), rounds + 1, contested);
        }
    }

    /** A state with an answer. */
    sealed interface Terminal extends PopState {
        PopResult result();
    }

    record Completed(PopRequest request, List<Claim> claims, List<PoppedMessage> messages) implements Terminal {
        @Override
        public PopResult result() {
            return new PopResult(claims, messages, 0);
        }
    }

    record Empty(PopRequest request, long dueMillis) implements Terminal {
        @Override
        public PopResult result() {
            return PopResult.empty(dueMillis);
        }
    }
}
