package io.queen.consumer;

import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;

/** Who pops through which server. */
public final class ConsumerStore {
    private static final String NOTE = "select queen.note_consumers_v1($1, $2, $3, $4, $5, $6)";

    private ConsumerStore() {}

    /** Pops of a group that wait at a queue, and its consumers that were seen there. */
    public record Note(String queue, String group, int waiting, Collection<String> holders) {}

    /** Tells what the server knows, to be believed for so many seconds. */
    public static Uni<Void> note(Connection connection, String server, int seconds, List<Note> notes) {
        Tuple arguments = Tuple.tuple()
                .addValue(server)
                .addValue(seconds)
                .addValue(notes.stream().map(Note::queue).toArray(String[]::new))
                .addValue(notes.stream().map(Note::group).toArray(String[]::new))
                .addValue(notes.stream().map(Note::waiting).toArray(Integer[]::new))
                .addValue(notes.stream()
                        .map(note -> String.join("\n", note.holders()))
                        .toArray(String[]::new));
        return connection
                .sql()
                .preparedQuery(NOTE)
                .execute(arguments)
                .onFailure()
                .transform(DatabaseFailure::translate)
                .replaceWithVoid();
    }
}
