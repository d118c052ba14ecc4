/**
 * Queen, a message queue server on PostgreSQL. How a request travels.
 *
 * <p>Vert.x accepts a connection on one of its event loops, and a request stays on that loop until it is answered: no
 * lock, no shared queue, no other thread.
 *
 * <pre>
 *   http      Routes: CORS, preflights, the limit of a body; a resource parses, checks, and maps the outcome to JSON
 *     │
 *   sidecar   one per event loop: requests that meet become one list, a list is one call      pop: the state machine
 *     │                                                                                       and the pops that wait
 *   store     the only SQL: one method per stored function, connections bound to the loop
 *     │
 *   PostgreSQL, schema queen: the only truth
 * </pre>
 *
 * <p><b>A push.</b> {@code PushResource} reads the body as a stream; a payload is checked to be JSON and stays the bytes
 * it was. {@code PushRouter} lets it pass, unless PostgreSQL is away or maintenance is on: then {@code buffer} keeps it on
 * disk and brings it to the database later. {@code Sidecar} queues it. While no other is on its way the list leaves at the end of this turn of the loop;
 * while enough lists are under way it gathers for 5 ms at most. {@code PushWork} turns names into partition ids (asked
 * once, then remembered), encrypts where the queue says so, and calls {@code push_list_v1}: partitions locked in id
 * order, sequence numbers taken, messages stored, one transaction. The answer is cut apart into one per request. Then
 * waiting pops are woken, here by the rings of {@code pop}, on other servers by a notification. When the call fails,
 * {@code Recovery} decides: send again what may not have arrived, halve the list until the bad request stands alone, set
 * aside those that wait for what a transaction outside holds while the others go on, or tell the caller. Acks, renewals and transactions go the same way; a transaction is always a list of its own.
 *
 * <p><b>A pop.</b> {@code PopResource} reads the query; {@code Waiting} tries it. Pops that meet are one batch, which
 * walks through the states of {@code pop} on one connection. One that names no partition is resolved first: a ring per
 * queue and group remembers which partitions have messages, and the push log in the database tells what it missed. One
 * statement decides who gets what and reads it. A pop that found nothing and may wait is parked, without a
 * connection, until news come, a lease or a delay ends, its turn to look for itself comes, or its time is up. When the
 * client has gone meanwhile, what was claimed for it is given back.
 *
 * <p><b>All else</b> (configure, groups, traces, maintenance, health) goes through {@code admin} over the general pool, so that it never
 * delays a message. {@code schedule} does what happens by itself.
 *
 * <p>What fails anywhere ends in {@code web.ErrorMapper}, the one place that decides the status and the body of an error. A
 * server keeps nothing that is not in PostgreSQL, or on its disk on the way there: it can be killed at any moment, and
 * another goes on.
 *
 * <p>Calls go in one direction: {@code http} → {@code buffer} → {@code sidecar} → {@code pop} → {@code store}, and
 * {@code http} → {@code admin} → {@code store}. {@code config} (what can be set), {@code message} (the vocabulary, with the error codes) and
 * {@code metrics} (what the server tells about itself) are for all and know nobody. A test holds this. {@code postgres}
 * is the embedded database; the classes of this package start it, or not, and then the server. {@code bench} is a program
 * of its own, {@code queen bench}: it measures a server from outside.
 */
package io.queen;
