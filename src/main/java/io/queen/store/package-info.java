/**
 * PostgreSQL: how to connect, the schema, and one method for each stored function. The only package with SQL in it and
 * the only one that knows the driver; its failures leave as {@link io.queen.message.QueenException}.
 */
package io.queen.store;
