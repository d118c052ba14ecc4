/**
 * What the server tells about itself. {@link io.queen.metrics.MetricsSection} is how any package adds to the JSON of
 * {@code GET /metrics}; numbers for Prometheus go to Micrometer directly. {@link io.queen.metrics.CounterRegistry} counts per queue
 * and {@link io.queen.metrics.Samples} gathers what is sampled, for the series. Usable by all packages, depends on none.
 */
package io.queen.metrics;
