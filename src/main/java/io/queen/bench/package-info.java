/**
 * {@code queen bench}: measures a server over HTTP, this one or any other that speaks the protocol. It is a program of
 * its own in the same binary: it uses nothing of the server, and only the command line uses it.
 *
 * <pre>
 *   BenchCommand     the options                    Report   the outcome: a table, JSON, ratios
 *      │                                               ▲
 *   BenchRun         scenarios × rounds × servers ─────┘
 *      │
 *   Scenario         fills a queue, then makes a worker per connection: what that connection does, over and over
 *      │
 *   Load             lets all workers run for a while, each attempt when it is due (Schedule), and counts (LiveCounts)
 *      │
 *   HttpConnection   a request at a time, on an event loop of the generator
 * </pre>
 */
package io.queen.bench;
