package io.queen.pop.ready;

import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** Asks the database which partitions have messages for a group. */
public interface ReadyQuestions {
    /**
     * What to look for.
     *
     * @param mark the changes since then; null for the next page of a scan over all partitions of the queue
     * @param scanAfter the name after which that page begins; null for the first
     */
    record Question(String queue, String group, String mark, String scanAfter) {}

    /** A partition with messages for the group, and the milliseconds until it can be popped; 0 is now. */
    record Found(UUID partition, long dueMillis) {}

    /**
     * What was found.
     *
     * @param lastName where a scan goes on, null at its end
     * @param mark what to ask the push log from, the next time; null when the one given is of an earlier life of the
     *     database and nothing can be told
     */
    record Answer(List<Found> found, String lastName, String mark) {
        /** Partitions whose order is no matter: a few are soon tried. */
        private static final int FEW = 100;

        /**
         * Many partitions at once come in a random order. All servers get the same answers, and in the same order each would
         * try first what another has just taken: two were slower than one.
         */
        List<Found> shuffled() {
            List<Found> shuffled = new ArrayList<>(found);
            if (found.size() > FEW) {
                Collections.shuffle(shuffled);
            }
            return shuffled;
        }
    }

    /** One answer per question, in order. */
    Uni<List<Answer>> changesSince(List<Question> questions);

    /** Those of the partitions that have messages for the group. */
    Uni<List<Found>> checkPartitions(String group, UUID[] partitions);
}
