package io.queen.history;

import io.queen.history.Event.Observed;
import io.queen.history.Tables.Consumer;
import io.queen.testing.Sql;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** Looks at the cursors all the time, behind the back of the servers. */
final class Observer extends Actor {
    private static final String CURSORS = "select q.name || '/' || p.name as lane, c.consumer_group, c.cursor"
            + " from queen.partition_consumers c join queen.partitions p on p.id = c.partition_id"
            + " join queen.queues q on q.id = p.queue_id";

    private final History history;
    private final Supplier<Sql> database;
    private final Map<Consumer, Long> seen = new HashMap<>();

    Observer(Session session, Stage stage, Random random, History history, Supplier<Sql> database) {
        super(session, stage, random);
        this.history = history;
        this.database = database;
    }

    @Override
    void step() {
        try (Sql sql = database.get()) {
            while (goesOn()) {
                look(sql);
                think(50);
            }
        } catch (Sql.SqlFailure away) {
            think(50);
        }
    }

    private void look(Sql sql) {
        long start = System.nanoTime();
        for (Map<String, Object> row : sql.rows(CURSORS)) {
            Consumer consumer = new Consumer((String) row.get("lane"), (String) row.get("consumer_group"));
            Long cursor = (Long) row.get("cursor");
            if (!cursor.equals(seen.put(consumer, cursor))) {
                history.add(new Observed(start, System.nanoTime(), consumer.lane(), consumer.group(), cursor));
            }
        }
    }
}
