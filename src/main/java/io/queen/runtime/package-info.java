/**
 * The process that all parts of the server live in: its event loops, its periodic work, its name, its end.
 *
 * <p>{@link io.queen.runtime.EventLoops} are the threads; {@link io.queen.runtime.EventLoopScoped} gives each an instance
 * of a bean, {@link io.queen.runtime.Loop} runs something on one. {@link io.queen.runtime.VertxInternals} is the
 * only class that knows how Vert.x is made inside (beside one of the driver, {@code database.ForcedClose}). {@link io.queen.runtime.PeriodicTasks} does what is done again and again,
 * {@link io.queen.runtime.Backoff} says how long to wait after a failure. {@link io.queen.runtime.Stopping} and {@link
 * io.queen.runtime.OutOfMemory} are the two ways in which the server ends.
 */
package io.queen.runtime;
