package io.queen.metrics;

import java.util.Map;

/** Something that is looked at every second. Make a CDI bean of it, and its values are part of the series. */
public interface SampleSource {
    /** The values of now, by name. Called on a worker thread; must not wait for anything. */
    Map<String, Double> sample();
}
