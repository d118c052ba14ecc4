package io.queen.pop;

import io.queen.message.Claim;
import io.queen.message.PopResult;
import io.queen.message.PoppedMessage;
import io.queen.pop.ready.PopMetrics.Phase;
import java.util.List;
import java.util.Locale;

/** Where a pop is. Each state carries what is known there, and offers only the transitions that are legal from it. */
sealed interface PopState {
    /** The phases are named like the states. Looked up once for each. */
    ClassValue<Phase> PHASES = new ClassValue<>() {
        @Override
        protected Phase computeValue(Class<?> state) {
            return Phase.valueOf(state.getSimpleName().toUpperCase(Locale.ROOT));
        }
    };

    default Phase phase() {
        return PHASES.get(getClass());
    }

    /** Taken, nothing done yet. */
    record Pending() implements PopState {
        Resolving resolve() {
            return new Resolving();
        }

        Leasing lease(Candidate named) {
            return new Leasing(List.of(named));
        }

        Empty empty() {
            return new Empty(PopResult.empty(-1));
        }
    }

    /** Looks for partitions. */
    record Resolving() implements PopState {
        Leasing lease(List<Candidate> candidates) {
            return new Leasing(candidates);
        }

        /** Worth another look after so many milliseconds; -1 when that is not known. */
        Empty empty(long dueMillis) {
            return new Empty(PopResult.empty(dueMillis));
        }
    }

    /** Tries to get the candidates. */
    record Leasing(List<Candidate> candidates) implements PopState {
        Fetching fetch(List<Candidate> claimed) {
            return new Fetching(claimed);
        }

        /** Nothing to be had of these for now: on with others. */
        Resolving again() {
            return new Resolving();
        }

        /** The partition that was named is gone; there may be a new one of that name. */
        Pending restart() {
            return new Pending();
        }

        /** Worth another look after so many milliseconds; -1 when that is not known. */
        Empty empty(long dueMillis) {
            return new Empty(PopResult.empty(dueMillis));
        }
    }

    /** Reads the messages of its claims. */
    record Fetching(List<Candidate> claimed) implements PopState {
        Completed complete(List<Claim> filled, List<PoppedMessage> messages) {
            return new Completed(new PopResult(filled, messages, 0));
        }

        Resolving again() {
            return new Resolving();
        }

        /** What was claimed of a named partition had been removed; there may be more behind it. */
        Leasing lease(Candidate named) {
            return new Leasing(List.of(named));
        }
    }

    /** A state with an answer. */
    sealed interface Terminal extends PopState {
        PopResult result();
    }

    record Completed(PopResult result) implements Terminal {}

    record Empty(PopResult result) implements Terminal {}
}
