package io.queen.database;

/** What came of one attempt to bring the schema up to date. */
sealed interface MigrationOutcome {
    /** The schema is in place. {@code warning} is what a person should know, or empty. */
    record Done(String warning) implements MigrationOutcome {}

    /** Not this time; {@code reached} tells whether PostgreSQL answered. */
    record Failed(String reason, boolean reached) implements MigrationOutcome {}

    /** It is there, and this server can't use it as it is. */
    record Refused(String reason) implements MigrationOutcome {}
}
