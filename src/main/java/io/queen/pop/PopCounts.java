package io.queen.pop;

import io.queen.consumer.Consumers;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.metrics.MessageCounting;
import io.queen.pop.ready.PopMetrics;
import jakarta.inject.Singleton;

/** All that is counted of pops: for the metrics, the series, and the list of consumers. */
@Singleton
final class PopCounts {
    private final PopMetrics metrics;
    private final Consumers consumers;
    private final MessageCounting counting;

    PopCounts(PopMetrics metrics, Consumers consumers, MessageCounting counting) {
        this.metrics = metrics;
        this.consumers = consumers;
        this.counting = counting;
    }

    void came(PopRequest request) {
        consumers.came(request);
    }

    void answered(PopRequest request, PopResult result) {
        counting.popped(request, result);
    }

    /** One more pop waits, or one less. */
    void parked(PopRequest request, int change) {
        metrics.parked(request.target(), change);
        consumers.parked(request, change);
    }

    /** A pop that had waited was tried again. */
    void retried(boolean found) {
        metrics.retried(found);
    }
}
