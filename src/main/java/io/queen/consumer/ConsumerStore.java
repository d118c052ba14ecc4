package io.queen.consumer;

import io.queen.database.Database;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;

/** The consumers that pop through each server. */
@Singleton
final class ConsumerStore {
    private static final String NOTE = "select queen.note_consumers_v1($1, $2, $3, $4, $5, $6)";

    private final Database database;

    ConsumerStore(Database database) {
        this.database = database;
    }

    /** Pops of a group that wait at a queue, and its consumers that were seen there. */
    record Note(String queue, String group, int waiting, Collection<String> holders) {}

    /** Tells what the server knows, to be believed for so many seconds. */
    Uni<Void> note(String server, int seconds, List<Note> notes) {
        return database.run(
                NOTE,
                server,
                seconds,
                notes.stream().map(Note::queue).toArray(String[]::new),
                notes.stream().map(Note::group).toArray(String[]::new),
                notes.stream().map(Note::waiting).toArray(Integer[]::new),
                notes.stream().map(note -> String.join("\n", note.holders())).toArray(String[]::new));
    }
}
