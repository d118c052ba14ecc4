package io.queen.stream;

import io.queen.message.AckResult;
import io.queen.message.PushResult;
import java.util.List;

/**
 * What became of a cycle.
 *
 * @param error why nothing of it was applied, null when all was
 * @param queue of the source partition, null when that is not known
 * @param pushes one for each item, in order; empty when nothing was applied
 * @param ack null when there was none
 */
record CycleResult(String error, String queue, List<PushResult> pushes, AckResult ack) {

    static CycleResult refused(String error, String queue) {
        return new CycleResult(error, queue, List.of(), null);
    }
}
