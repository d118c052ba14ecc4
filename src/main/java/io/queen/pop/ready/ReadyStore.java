package io.queen.pop.ready;

import io.queen.database.Queries;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The statements that look for partitions with messages. */
public record ReadyStore(Queries database) implements ReadyQuestions {
    private static final String CHANGES_SINCE = "select n.ids, n.due_ms, n.last_name, n.mark"
            + " from unnest($1::text[], $2::text[], $3::text[], $4::text[])"
            + " with ordinality l (queue, consumer_group, mark, after, ord)"
            + " cross join lateral queen.changes_since_v1(l.queue, l.consumer_group, l.mark, l.after, $5) n order by l.ord";
    private static final String CHECK_PARTITIONS = "select s.ids, s.due_ms from queen.check_partitions_v1($1, $2) s";

    /** Partitions looked at by one statement: a few milliseconds. */
    public static final int PAGE = 2000;

    @Override
    public Uni<List<Answer>> changesSince(List<Question> questions) {
        return database.list(
                CHANGES_SINCE,
                row -> new Answer(found(row), row.getString(2), row.getString(3)),
                questions.stream().map(Question::queue).toArray(String[]::new),
                questions.stream().map(Question::group).toArray(String[]::new),
                questions.stream().map(Question::mark).toArray(String[]::new),
                questions.stream().map(Question::scanAfter).toArray(String[]::new),
                PAGE);
    }

    @Override
    public Uni<List<Found>> checkPartitions(String group, UUID[] partitions) {
        return database.one(CHECK_PARTITIONS, ReadyStore::found, group, partitions);
    }

    private static List<Found> found(Row row) {
        UUID[] ids = row.getArrayOfUUIDs(0);
        if (ids == null) {
            return List.of();
        }
        Long[] dueMillis = row.getArrayOfLongs(1);
        List<Found> found = new ArrayList<>(ids.length);
        for (int i = 0; i < ids.length; i++) {
            found.add(new Found(ids[i], dueMillis[i]));
        }
        return found;
    }
}
