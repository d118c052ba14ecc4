/**
 * What happens by itself, from time to time: {@link io.queen.schedule.Retention} and {@link io.queen.schedule.Eviction}
 * remove what is old, {@link io.queen.schedule.MinuteBuckets} writes what the server did, {@link
 * io.queen.schedule.QueueDepths} looks at how much waits. All on the general pool.
 */
package io.queen.schedule;
