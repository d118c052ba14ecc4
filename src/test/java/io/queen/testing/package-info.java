/**
 * What tests of several packages use: a server as a process ({@link io.queen.testing.ServerProcess}), ordinary requests to
 * it ({@link io.queen.testing.Http}) and hostile ones ({@link io.queen.testing.RawHttp}), the words of the API on top of REST
 * Assured ({@link io.queen.testing.Client}, {@link io.queen.testing.Pops}, {@link io.queen.testing.Groups}), and what a
 * test arranges or looks up in the database ({@link io.queen.testing.Sql}, {@link io.queen.testing.Partitions}).
 */
package io.queen.testing;
