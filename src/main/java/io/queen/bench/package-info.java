/**
 * {@code queen bench}: measures a server over HTTP, this one or any other that speaks the protocol. It is a program of
 * its own in the same binary: nothing of the server is used but {@link io.queen.database.DatabaseFigures} and {@link
 * io.queen.database.BareInserts}, which are there for it, and nobody uses it but the command line.
 *
 * <pre>
 *   BenchCommand   the options                    Report   the outcome: a table, JSON, ratios
 *      │                                             ▲
 *   Session        scenarios × rounds × servers ─────┘
 *      │
 *   Scenario       fills a queue, then makes a lane per connection: what that connection does, over and over
 *      │
 *   Load           lets all lanes run for a while, each turn when it is due (Schedule), and counts (Tally)
 *      │
 *   Wire           one connection: a request at a time, on an event loop of the Client
 * </pre>
 */
package io.queen.bench;
