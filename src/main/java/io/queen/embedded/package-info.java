/**
 * The embedded PostgreSQL: a real one, from binaries on the class path, with its data in one directory.
 *
 * <p>{@link io.queen.embedded.EmbeddedPostgres} takes the directory's lock, unpacks the binaries, stops what a killed
 * server left behind, creates the cluster on the first start, writes {@code queen.conf}, starts and checks it. Nothing
 * here is loaded when the user names a database of his own.
 *
 * <pre>
 * data directory/
 *   queen.lock           held while a server runs
 *   postgres-18.6.0/     the binaries
 *   postgres/            the cluster (PGDATA)
 *   postgres.password    of user queen, readable by the owner alone
 *   postgres.log         of this start; postgres.log.1 of the one before
 * </pre>
 */
package io.queen.embedded;
