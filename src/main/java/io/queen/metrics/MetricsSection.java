package io.queen.metrics;

import java.util.Map;
import java.util.function.Supplier;

/** One member of the JSON that {@code GET /metrics} answers. Make a CDI bean of it and it is part of the answer. */
public interface MetricsSection {
    /** The name of the member: {@code database}. */
    String name();

    /** The current values: numbers, texts or maps of them. Called on a worker thread, at any time; must not block. */
    Map<String, ?> values();

    static MetricsSection of(String name, Supplier<Map<String, ?>> values) {
        return new MetricsSection() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Map<String, ?> values() {
                return values.get();
            }
        };
    }
}
