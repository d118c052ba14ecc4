package io.queen.history;

import io.queen.history.Event.Pushed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Pushes messages with numbers that rise, over several partitions, each request until it is answered. Now and then it
 * repeats what it or another producer pushes.
 */
final class Producer extends Actor {
    private static final int MAX_ITEMS = 4;
    private static final int REPEATED = 8;

    private final String name;
    private final List<String> lanes;
    private final int home;
    private final AtomicReferenceArray<Item> recent;
    private int number;

    /**
     * @param home the server it pushes to, -1 for any
     * @param recent what producers pushed of late
     */
    Producer(
            Session session,
            Stage stage,
            Random random,
            String name,
            List<String> lanes,
            int home,
            AtomicReferenceArray<Item> recent) {
        super(session, stage, random);
        this.name = name;
        this.lanes = lanes;
        this.home = home;
        this.recent = recent;
    }

    @Override
    boolean goesOn() {
        return stage.loading();
    }

    @Override
    void step() {
        List<Item> items = new ArrayList<>();
        for (int i = random.nextInt(MAX_ITEMS); i >= 0; i--) {
            Item known = recent.get(random.nextInt(recent.length()));
            items.add(known != null && percent(REPEATED) ? known : fresh());
        }
        while (goesOn() && isOpen(session.push(home < 0 ? anyServer() : home, items))) {
            think(50);
        }
        think(5 + random.nextInt(30));
    }

    private Item fresh() {
        String lane = lanes.get(random.nextInt(lanes.size()));
        Item item = new Item(lane, name + "-" + ++number, number);
        recent.set(random.nextInt(recent.length()), item);
        return item;
    }

    private static boolean isOpen(List<Pushed> pushed) {
        return pushed.get(0).outcome() == Outcome.UNKNOWN;
    }
}
