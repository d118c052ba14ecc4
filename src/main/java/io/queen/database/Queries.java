package io.queen.database;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Where a store sends its statements: {@link Database} for everything but messages, a {@link Connection} for messages.
 * Arguments are those of {@code $1, $2 …} in their order.
 */
public interface Queries {
    Uni<RowSet<Row>> query(String sql, Tuple arguments);

    /** For statements whose rows do not matter. */
    default Uni<Void> run(String sql, Object... arguments) {
        return query(sql, tuple(arguments)).replaceWithVoid();
    }

    /** What the reader makes of the first row; null when there is none. */
    default <T> Uni<T> one(String sql, Function<Row, T> reader, Object... arguments) {
        return query(sql, tuple(arguments))
                .map(rows ->
                        rows.size() == 0 ? null : reader.apply(rows.iterator().next()));
    }

    /** What the reader makes of each row. */
    default <T> Uni<List<T>> list(String sql, Function<Row, T> reader, Object... arguments) {
        return query(sql, tuple(arguments)).map(rows -> {
            List<T> all = new ArrayList<>(rows.size());
            rows.forEach(row -> all.add(reader.apply(row)));
            return all;
        });
    }

    /** JSON that PostgreSQL wrote, to be passed on as it is: the text of the only row, null when nothing was found. */
    default Uni<String> json(String sql, Object... arguments) {
        return one(sql, row -> row.getString(0), arguments);
    }

    /** An array that is the only argument arrives in place of the arguments. */
    private static Tuple tuple(Object... arguments) {
        return arguments.getClass() == Object[].class ? Tuple.from(arguments) : Tuple.of(arguments);
    }
}
