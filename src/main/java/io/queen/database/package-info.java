/**
 * PostgreSQL: how it is reached, what becomes of it, and the schema in it.
 *
 * <p>A store sees {@link io.queen.database.Queries}: {@link io.queen.database.Database} sends statements over the general
 * pool, a {@link io.queen.database.Connection} is one connection of an event loop, for messages. To read in this order:
 *
 * <ol>
 *   <li>{@code Login}, {@code DatabaseAddress}, {@code Hosts}: where PostgreSQL is, and which host is the primary.
 *   <li>{@code Database}, {@code DriverConnection}, {@code GeneralPool}: connections. {@code Precedence} gives messages
 *       theirs first, {@code ConnectionBudget} says how many there may be.
 *   <li>{@code KeptConnection}, {@code DatabaseHeartbeat}, {@code DatabaseProbe}: how a PostgreSQL that has fallen silent
 *       is noticed. {@code DatabaseCheck} answers health checks. {@code DatabaseFailure} says what a failure means.
 *   <li>{@code Schema}, {@code Migration}, {@code SchemaNeeds}: the schema is brought up to date at the start, over {@code
 *       MigrationSessions} that {@code SessionWatch} looks after. {@code Admission} keeps the database closed until then.
 * </ol>
 */
package io.queen.database;
