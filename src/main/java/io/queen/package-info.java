/**
 * Queen, a message queue server on PostgreSQL. How a request travels:
 *
 * <ol>
 *   <li>{@code http}: Vert.x accepts the connection on one of its event loops and the request stays on it. {@code Routes}
 *       goes first, for every path: it sets the CORS headers, answers preflights and refuses bodies that are too large. A
 *       resource then parses the request and hands it over; it knows no rules of its own.
 *   <li>{@code admin} answers what is not about a message on its way, such as health. The hot path of messages gets
 *       packages of its own beside it.
 *   <li>{@code store} is the only package with SQL. It turns a call into a statement on the reactive client, never
 *       blocking, and a failure of the driver into a {@code QueenException}.
 *   <li>PostgreSQL holds everything; a server can be killed at any moment and another goes on.
 *   <li>On the way back the resource maps the outcome to JSON. What failed anywhere ends in {@code http.Failures}, the one
 *       place that decides the status and the body of an error.
 * </ol>
 *
 * <p>Calls go in one direction, {@code http} → {@code admin} → {@code store}. {@code config} (what can be set), {@code
 * message} (the vocabulary, with the error codes) and {@code metrics} (what the server tells about itself) are for all and
 * know nobody. A test holds this.
 */
package io.queen;
