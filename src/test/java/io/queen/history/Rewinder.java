package io.queen.history;

import io.queen.Sql;
import io.queen.history.Event.Rewound;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** A consumer whose group is sent back to the beginning of the queue now and then. */
final class Rewinder extends Worker {
    /** What a seek does to every partition of the queue. */
    private static final String REWIND = "update queen.partition_consumers c set cursor = 0, lease_id = null,"
            + " lease_expires_at = null, lease_last_seq = null from queen.partitions p, queen.queues q"
            + " where p.id = c.partition_id and q.id = p.queue_id and q.name = ? and c.consumer_group = ?";

    private final String queue;
    private final History history;
    private final Supplier<Sql> database;

    Rewinder(
            Session session,
            Stage stage,
            Random random,
            String group,
            List<String> lanes,
            History history,
            Supplier<Sql> database) {
        super(session, stage, random, group, lanes);
        this.queue = Plan.queue(lanes.get(0));
        this.history = history;
        this.database = database;
    }

    @Override
    void step() {
        if (stage.loading() && percent(2)) {
            rewind();
        }
        super.step();
    }

    private void rewind() {
        Rewound rewound = session.rewind(anyServer(), group, queue);
        if (rewound.outcome() == Outcome.REFUSED) {
            rewindBySql();
        }
    }

    /** For a server that has no such route. */
    private void rewindBySql() {
        long start = System.nanoTime();
        Outcome outcome = Outcome.UNKNOWN;
        try (Sql sql = database.get()) {
            sql.run(REWIND, queue, group);
            outcome = Outcome.APPLIED;
        } catch (Sql.SqlFailure away) {
            think(50);
        }
        history.add(new Rewound(start, System.nanoTime(), group, queue, outcome));
    }
}
