/**
 * The POP state machine. A batch of pops travels together on one connection, by set-based statements: one to look for
 * partitions where that is needed, and one that leases and fetches.
 *
 * <pre>
 *   PENDING ──▶ RESOLVING ──▶ LEASING ──▶ FETCHING ──▶ COMPLETED
 *      │            │            │            │
 *      │            ▼            ▼            ▼
 *      └────────▶ EMPTY ◀────────┴────────────┘          any ──▶ FAILED
 * </pre>
 *
 * <p>RESOLVING is for pops that name no partition: {@link io.queen.pop.ready.ReadyPartitions} remembers, per queue and group, which
 * partitions have messages, so that its cost does not grow with their number. It is fed by the pushes of this server, by
 * the push log for those of others, and by one sweep at first. It only guesses; the statement that leases decides.
 *
 * <p>A pop that may wait is parked where news of its target arrive, and tried again when they do. What an operator has paused
 * is not tried ({@link io.queen.pause.Pauses}); who pops and who waits is told to the database from time to time ({@link
 * io.queen.pop.ConsumerReport}).
 */
package io.queen.pop;
