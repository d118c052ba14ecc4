package io.queen.pop.ready;

import io.queen.pop.ready.ReadyQuestions.Answer;
import io.queen.pop.ready.ReadyQuestions.Question;
import java.util.Objects;

/**
 * Up to where a queue is known: the mark from which the push log is to be asked, or, without one, how far a scan over all
 * partitions has come. Guarded by the {@link ReadyPartitions} that it belongs to.
 */
final class PushLogPosition {
    /** How long a mark can be trusted: well within the life of the push log's rows. */
    private static final long TRUSTED_NANOS = 30_000_000_000L;

    private String mark;
    private long markNanos;
    private String scanMark;
    private long scanNanos;
    private String scannedUpTo;
    /** When all was forgotten; 0 when it never was. */
    private long resetNanos;

    Question question(String queue, String group, long now) {
        return isTrusted(now) ? new Question(queue, group, mark, null) : new Question(queue, group, null, scannedUpTo);
    }

    boolean isOlderThan(long millis, long now) {
        return now - markNanos > millis * 1_000_000;
    }

    /** Nothing is known any more: the next question begins a scan. What is asked before then does not count. */
    void reset(long now) {
        mark = null;
        scannedUpTo = null;
        resetNanos = now;
    }

    /**
     * Moves on by an answer. True when all is known by it, false when a further page is needed to be sure. A mark that is
     * not answered is of a database that has crashed since: what was pushed then may stand before it. Of scans that
     * overlap one counts, or pages of the other would be missing in it. A scan of a single page saw everything at once.
     */
    boolean advance(Question question, Answer answer, long askedNanos, long now) {
        if (resetNanos != 0 && askedNanos - resetNanos < 0) {
            return false;
        }
        if (question.mark() != null && answer.mark() != null) {
            set(answer.mark(), askedNanos);
            return true;
        }
        if (question.mark() != null) {
            mark = question.mark().equals(mark) ? null : mark;
        } else if (!isTrusted(now) && Objects.equals(question.scanAfter(), scannedUpTo)) {
            scanned(question, answer, askedNanos);
            return question.scanAfter() == null && answer.lastName() == null && answer.mark() != null;
        }
        return false;
    }

    /**
     * What was pushed after a scan began may lie where it had already been: the log is asked from its beginning, and that
     * is as old as the mark is.
     */
    private void scanned(Question question, Answer answer, long askedNanos) {
        if (question.scanAfter() == null) {
            scanMark = answer.mark();
            scanNanos = askedNanos;
        }
        scannedUpTo = answer.lastName();
        if (scannedUpTo == null) {
            set(scanMark, scanNanos);
        }
    }

    private boolean isTrusted(long now) {
        return mark != null && now - markNanos < TRUSTED_NANOS;
    }

    private void set(String newMark, long askedNanos) {
        mark = newMark;
        markNanos = askedNanos;
        scannedUpTo = null;
    }
}
