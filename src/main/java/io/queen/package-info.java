/**
 * Queen, a message queue server on PostgreSQL. How a request travels; {@code docs/architecture.md} has the walks file by
 * file.
 *
 * <p>Vert.x accepts a connection on one of its event loops, and a request stays on that loop until it is answered: no
 * lock, no shared queue, no other thread.
 *
 * <pre>
 *   io.queen                                       the start
 *     │
 *   admin.audit, .server, .maintenance, .group,    all that is not a message on its way, over the general pool
 *   admin.queue, .trace, .deadletter, .message,
 *   admin.encryption
 *   retention, series, schedule                    what happens by itself
 *     │
 *   stream                                         state, pushes and acks that apply together
 *   transaction                                    the path of a message: resource, reader, operation and store
 *   pop                                            of each in one package
 *   ack
 *   push
 *     │
 *   consumer, pause
 *   pop.ready                                      partitions with messages, waiting pops, news between servers
 *   buffer                                         what is pushed while PostgreSQL is away
 *   sidecar                                        requests that meet become one batch, a batch is one call
 *   encryption
 *   security                                       tokens, and what they allow
 *   dashboard                                      what is at /
 *   web                                            the edge: routes, limits, JSON, errors
 *   origin                                         which web pages may call
 *     │
 *   tracing                                        spans for a collector
 *   database                                       connections, heartbeat, schema
 *   tls                                            certificates and keys
 *   runtime, metrics, config, message              for all
 *     │
 *   PostgreSQL, schema queen: the only truth
 * </pre>
 *
 * <p>A package knows only those that stand below it, from the top to the bottom of this picture; {@code
 * PackageDirectionTest} holds the order. {@code embedded} (the PostgreSQL that comes with the program) and {@code bench}
 * ({@code queen bench}, a program of its own) stand apart.
 *
 * <p><b>A push.</b> {@code PushResource} reads the body as a stream; a payload is checked to be JSON and stays the bytes
 * it was. {@code PushRouter} lets it pass, unless PostgreSQL is away or maintenance is on: then {@code buffer} keeps it on
 * disk and brings it to the database later. {@code Pushes} hands it to the {@code Sidecar} of its event loop. While no
 * other push is on its way the batch leaves at the end of this turn of the loop; while enough batches are under way it
 * gathers for 5 ms at most. {@code PushOperation} turns names into partition ids (asked once, then remembered), encrypts
 * where the queue says so, and calls {@code push_list_v1}: partitions locked in id order, sequence numbers taken, messages
 * stored, one transaction. The answer is cut apart into one per request. Then {@code PartitionNews} wakes waiting pops,
 * here and on other servers. When the call fails, {@code BatchFailureDecision} decides: send again what may not have
 * arrived, halve the batch until the bad request stands alone, set aside those that wait for what another transaction
 * holds while the others go on, or tell the caller. Acks, renewals and transactions go the same way; a transaction is
 * always a batch of its own.
 *
 * <p><b>A pop.</b> {@code PopResource} reads the query; {@code LongPolls} tries it. Pops that meet are one batch, which
 * walks through the states of {@code pop} on one connection. One that names no partition is resolved first: {@code
 * ReadyPartitions} remembers, per queue and group, which partitions have messages, and the push log in the database tells
 * what it missed. One statement decides which pop gets what and reads it. A pop that found nothing and may wait is parked,
 * without a connection, until news come, a lease or a delay ends, its turn to look for itself comes, or its time is up.
 * When the client has gone meanwhile, what was claimed for it is given back.
 *
 * <p>What fails anywhere ends in {@code web.ErrorMapper}, the one place that decides the status and the body of an error. A
 * server keeps nothing that is not in PostgreSQL, or on its disk on the way there: it can be killed at any moment, and
 * another goes on.
 */
package io.queen;
