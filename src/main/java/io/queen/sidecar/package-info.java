/**
 * The batch engine: one {@link io.queen.sidecar.Sidecar} per event loop, with connections of its own, so that nothing is
 * shared and nothing is locked. It knows no kind of message: push, ack, transaction and pop bring a
 * {@link io.queen.sidecar.BatchOperation} each.
 *
 * <pre>
 *   request ──▶ BatchQueue ──▶ Dispatcher ──▶ Slot ──▶ BatchOperation ──▶ store
 *               one per         one per       one         what a batch
 *               operation       sidecar       connection  means
 * </pre>
 *
 * <p>A queue makes batches of requests, bounded by items and by bytes; the dispatcher gives free connections to the queues
 * in the order of {@link io.queen.sidecar.Operation}, and lets none starve. When a batch fails {@code BatchFailureDecision}
 * says whether it is sent again, halved, or given up; a request that is given up is answered with its own error.
 *
 * <p>A batch waits for a lock for a tenth of a second. If another transaction holds it for longer, one statement finds out
 * which requests need it: they wait in {@code LockWaiters}, without a connection and outside the batches and the bounds of
 * all others, which go on at once. While anything is held {@code LockWatch} asks a few times a second, and requests for it
 * that arrive meanwhile wait behind the others. When it is free they leave in the order of their arrival; after
 * {@code queen.database.lock-timeout} from its arrival a request is answered 503 instead.
 *
 * <p>Bounded: beyond {@code queen.sidecar.max-waiting} requests of one operation a sidecar refuses at once; so it does with
 * requests for something that is held when a tenth of that wait for it, or as many bytes as a batch may have. While
 * PostgreSQL is away it refuses at once too, and keeps trying to connect.
 */
package io.queen.sidecar;
