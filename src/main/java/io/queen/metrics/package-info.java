/**
 * What the server tells about itself. Usable by all packages above.
 *
 * <p>Numbers for Prometheus go to Micrometer directly. {@link io.queen.metrics.MetricsSection} is how a package adds to
 * the JSON of {@code GET /metrics}. For the series, {@link io.queen.metrics.CounterRegistry} counts per queue, {@link
 * io.queen.metrics.MessageCounting} what requests did, and {@link io.queen.metrics.Samples} gathers what every {@link
 * io.queen.metrics.SampleSource} says each second. {@link io.queen.metrics.Complaints} are failures that no caller is
 * told of: a line a minute in the log.
 */
package io.queen.metrics;
