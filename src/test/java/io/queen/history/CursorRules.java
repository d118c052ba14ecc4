package io.queen.history;

import io.queen.history.Event.Acked;
import io.queen.history.Event.Observed;
import io.queen.history.Event.Popped;
import io.queen.history.Event.Rewound;
import io.queen.history.Tables.Consumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The cursor of a group on one partition moves back only when the group is rewound (4). */
final class CursorRules {
    private final Consumer consumer;
    private final List<Acked> acks;
    private final List<Rewound> rewinds;
    private final Map<String, Integer> places;
    private final List<Violation> violations = new ArrayList<>();

    private CursorRules(Consumer consumer, List<Acked> acks, List<Rewound> rewinds, Tables tables) {
        this.consumer = consumer;
        this.acks = acks;
        this.rewinds = rewinds;
        this.places = tables.places(consumer.lane());
    }

    static List<Violation> check(
            Consumer consumer, List<Popped> pops, List<Acked> acks, List<Rewound> rewinds, Tables tables) {
        CursorRules rules = new CursorRules(consumer, acks, rewinds, tables);
        pops.forEach(rules::notBehind);
        rules.end(tables.cursors().getOrDefault(consumer, 0));
        return rules.violations;
    }

    /** 4: nothing is delivered again that was acknowledged before. */
    private void notBehind(Popped pop) {
        int first = places.getOrDefault(pop.transactionIds().get(0), Integer.MAX_VALUE);
        for (Acked ack : acks) {
            if (ack.passed()
                    && ack.endedBefore(pop)
                    && places.getOrDefault(ack.transactionId(), 0) >= first
                    && !rewoundBetween(ack, pop)) {
                violated(4, "Delivered again", pop + " begins at " + first + " after " + ack);
                return;
            }
        }
    }

    private boolean rewoundBetween(Event before, Event after) {
        return rewinds.stream().anyMatch(rewind -> rewind.end() > before.start() && rewind.start() < after.end());
    }

    /** 4: in the end the cursor is not before what was acknowledged. */
    private void end(int cursor) {
        for (Acked ack : acks) {
            if (ack.passed()
                    && places.getOrDefault(ack.transactionId(), 0) > cursor
                    && rewinds.stream().noneMatch(rewind -> rewind.end() > ack.start())) {
                violated(4, "Ends before an ack", "cursor " + cursor + ", " + ack);
            }
        }
    }

    /** 4: each look at the table shows a cursor that has not moved back. {@code looks} is of one partition and group. */
    static List<Violation> checkLooks(List<Observed> looks, List<Rewound> rewinds) {
        List<Violation> violations = new ArrayList<>();
        for (int i = 1; i < looks.size(); i++) {
            Observed before = looks.get(i - 1);
            Observed after = looks.get(i);
            boolean rewound =
                    rewinds.stream().anyMatch(rewind -> rewind.end() > before.start() && rewind.start() < after.end());
            if (after.cursor() < before.cursor() && !rewound) {
                violations.add(new Violation(4, "Moved back", before + " then " + after));
            }
        }
        return violations;
    }

    private void violated(int invariant, String name, String evidence) {
        violations.add(new Violation(invariant, name, consumer + " " + evidence));
    }
}
