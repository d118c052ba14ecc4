package io.queen.history;

import io.queen.history.Event.Probed;
import io.queen.history.Event.Pushed;
import java.util.List;
import java.util.Random;

/**
 * Pushes a message on one server and asks the other for it as soon as that is answered. It is alone on its queue, and
 * takes another one when a pop of its own may still be on its way there: that could take the next message.
 */
final class Prober extends Actor {
    private static final int PARTITIONS = 40;
    /** More than can have been left over by pushes that were not answered. */
    private static final int MAX_POPS = 50;

    private final String name;
    private final History history;
    private int seenDisturbances;
    private int queueNumber;
    private int number;

    Prober(Session session, Stage stage, Random random, String name, History history) {
        super(session, stage, random);
        this.name = name;
        this.history = history;
    }

    @Override
    boolean goesOn() {
        return stage.loading();
    }

    @Override
    void step() {
        if (stage.disturbances() != seenDisturbances) {
            leave();
        }
        int server = anyServer();
        String queue = name + "-" + queueNumber;
        String lane = queue + "/p" + random.nextInt(PARTITIONS);
        Item item = new Item(lane, name + "-" + ++number, number);
        Pushed pushed = session.push(server, List.of(item)).get(0);
        if (pushed.outcome() == Outcome.APPLIED) {
            probe(pushed, percent(80) ? queue : lane);
        }
        think(5 + random.nextInt(20));
    }

    private void probe(Pushed pushed, String target) {
        int other = (pushed.server() + 1) % Installation.SERVERS;
        Catch popped = null;
        for (int i = 0; i < MAX_POPS; i++) {
            popped = session.pop(other, target, "probers", "&autoAck=true");
            if (popped.outcome() != Outcome.APPLIED || brings(popped, pushed)) {
                break;
            }
        }
        if (popped.outcome() == Outcome.UNKNOWN) {
            leave();
            return;
        }
        boolean found = popped.outcome() == Outcome.APPLIED;
        history.add(new Probed(
                pushed.start(), System.nanoTime(), pushed.lane(), pushed.transactionId(), found, popped.said()));
    }

    private static boolean brings(Catch popped, Pushed pushed) {
        return popped.batches().stream()
                .anyMatch(batch -> batch.lane().equals(pushed.lane())
                        && batch.transactionIds().contains(pushed.transactionId()));
    }

    private void leave() {
        seenDisturbances = stage.disturbances();
        queueNumber++;
    }
}
