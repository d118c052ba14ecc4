package io.queen.pop.ready;

import io.queen.database.Connection;
import io.queen.database.Queries;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Asks which partitions have messages for a group. */
public final class ReadyStore {
    private static final String NEWS = "select n.ids, n.due_ms, n.last_name, n.mark"
            + " from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::integer[])"
            + " with ordinality l (queue, consumer_group, mark, after, step, ord)"
            + " cross join lateral queen.pop_sm_look(l.queue, l.consumer_group, l.mark, l.after, l.step) n order by l.ord";
    private static final String SIFT = "select s.ids, s.due_ms from queen.pop_sm_sift($1, $2) s";

    private ReadyStore() {}

    /**
     * What is known of the partitions of a queue.
     *
     * @param ids partitions with messages for the group, and {@code dueMillis} until each can be popped
     * @param lastName where a sweep goes on, null at its end
     * @param mark what to ask the push log from, the next time; null when the one given is of an earlier life of the
     *     database and nothing can be told
     */
    public record News(UUID[] ids, Long[] dueMillis, String lastName, String mark) {}

    /** What to look for: news since {@code mark}, or without one the next {@code step} partitions of a sweep. */
    public record Question(String queue, String group, String mark, String sweepAfter, int step) {}

    /** One answer per question, in order. */
    public static Uni<List<News>> news(Queries database, List<Question> questions) {
        Tuple arguments = Tuple.tuple()
                .addValue(questions.stream().map(Question::queue).toArray(String[]::new))
                .addValue(questions.stream().map(Question::group).toArray(String[]::new))
                .addValue(questions.stream().map(Question::mark).toArray(String[]::new))
                .addValue(questions.stream().map(Question::sweepAfter).toArray(String[]::new))
                .addValue(questions.stream().map(Question::step).toArray(Integer[]::new));
        return database.query(NEWS, arguments).map(rows -> {
            List<News> answers = new ArrayList<>(rows.size());
            rows.forEach(row -> answers.add(new News(ids(row), dueMillis(row), row.getString(2), row.getString(3))));
            return answers;
        });
    }

    /** Those of the partitions that have messages for the group. */
    public static Uni<News> sift(Connection connection, String group, UUID[] partitions) {
        return connection.one(SIFT, row -> new News(ids(row), dueMillis(row), null, null), group, partitions);
    }

    private static UUID[] ids(Row row) {
        UUID[] ids = row.getArrayOfUUIDs(0);
        return ids == null ? new UUID[0] : ids;
    }

    private static Long[] dueMillis(Row row) {
        Long[] due = row.getArrayOfLongs(1);
        return due == null ? new Long[0] : due;
    }
}
