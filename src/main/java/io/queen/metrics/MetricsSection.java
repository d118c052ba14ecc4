package io.queen.metrics;

import java.util.Map;

/**
 * One member of the JSON that {@code GET /metrics} answers. Make a CDI bean of it and it is part of the answer; who
 * measures something tells it itself.
 */
public interface MetricsSection {
    /** The name of the member: {@code database}. */
    String name();

    /** The current values: numbers, texts or maps of them. Called on a worker thread, at any time; must not block. */
    Map<String, ?> values();
}
