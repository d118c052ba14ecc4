package io.queen.bench;

/**
 * A consumer group that becomes a new one when it has consumed everything. A pop may find nothing because others hold
 * what is left; only when all its consumers found nothing in a row there is nothing left.
 */
final class ConsumerGroup {
    private final String stem;
    private final int patience;
    private int generation;
    private int misses;

    ConsumerGroup(String stem, int patience) {
        this.stem = stem;
        this.patience = patience;
    }

    synchronized String name() {
        return stem + "-" + generation;
    }

    /** What a pop in the name of {@code name} found; of an earlier generation it means nothing any more. */
    synchronized void found(String name, boolean something) {
        if (!name.equals(name())) {
            return;
        }
        misses = something ? 0 : misses + 1;
        if (misses >= patience) {
            generation++;
            misses = 0;
        }
    }
}
