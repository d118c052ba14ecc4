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
 * <p>RESOLVING is for pops that name no partition: {@link io.queen.pop.ready.ReadyPartitions} remembers, per queue and group,
 * which partitions have messages, so that its cost does not grow with their number. It is fed by the pushes of this server,
 * by the push log for those of others, and by one scan at first. It only guesses; the statement that leases decides.
 *
 * <p>A pop goes {@link io.queen.pop.PopResource} → {@link io.queen.pop.LongPolls} → sidecar → {@link
 * io.queen.pop.PopOperation} → {@link io.queen.pop.PopBatch} → {@link io.queen.pop.PopStore}, and its answer the same way
 * back. One that may wait and found nothing waits in a {@link io.queen.pop.ready.WaitList}, where news of its target
 * arrive, and goes that way again when they do. What an operator has paused is not tried ({@link
 * io.queen.pop.ready.Pauses}).
 */
package io.queen.pop;
