/**
 * The hot path: one {@link io.queen.sidecar.Sidecar} per event loop, with connections of its own, so that nothing is
 * shared and nothing is locked.
 *
 * <pre>
 *   request ──▶ ListQueue ──▶ Pump ──▶ Link ──▶ Work ──▶ store
 *               one per        gives    one      what the list means: PushWork, AckWork, RenewWork,
 *               operation      links    connection           TransactionWork, PopWork, ReleaseWork
 * </pre>
 *
 * <p>A queue makes lists of requests, bounded by items and by bytes; the pump hands free connections to the queues in
 * the order of {@link io.queen.sidecar.Operation}, and lets none starve. When a list fails {@code Recovery} says whether
 * it is sent again, taken apart, or given up; a request that is given up is answered with its own error.
 *
 * <p>Bounded: beyond {@code queen.sidecar.max-waiting} requests of one operation a sidecar refuses at once. While
 * PostgreSQL is away it refuses at once too, and keeps trying to connect.
 */
package io.queen.sidecar;
