package io.queen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.database.Connection;
import io.queen.database.MessageDatabase;
import io.queen.message.ErrorCode;
import io.queen.runtime.ManualLoop;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SlotsTest {
    private static final long STUCK_MS = 60_000;

    private final ManualLoop loop = new ManualLoop();
    private final FakeDatabase database = new FakeDatabase();
    private final IOException notThere = new IOException("not there");
    private int changes;

    private Slots open(int count) {
        Slots slots = new Slots(database, loop, count, STUCK_MS, List.of(new FakeOperation(Operation.PUSH)));
        slots.open(() -> changes++);
        return slots;
    }

    @Test
    void open_several_comeOneAfterTheOther() {
        Slots slots = open(3);
        assertThat(database.asked).hasSize(1);
        assertThat(slots.free()).isNull();
        Link first = database.give();
        assertThat(slots.free().connection()).isSameAs(first);
        assertThat(changes).isEqualTo(1);
        loop.pass(999);
        assertThat(database.asked).isEmpty();
        loop.pass(1);
        assertThat(database.asked).hasSize(1);
        loop.pass(1000);
        assertThat(database.asked).hasSize(2);
    }

    @Test
    void settled_waitsForTheFirstConnection() {
        Slots slots = open(1);
        List<String> heard = new ArrayList<>();
        slots.settled().subscribe().with(done -> heard.add("settled"));
        assertThat(heard).isEmpty();
        database.give();
        assertThat(heard).containsExactly("settled");
    }

    @Test
    void connection_taken_isNotFreeUntilReleased() {
        Slots slots = open(1);
        database.give();
        Slot slot = slots.free();
        slot.take();
        assertThat(slots.free()).isNull();
        slot.release();
        assertThat(slots.free()).isSameAs(slot);
    }

    @Test
    void connection_lost_isOpenedAgainAtOnce() {
        Slots slots = open(1);
        Link first = database.give();
        first.die();
        assertThat(slots.free()).isNull();
        assertThat(slots.unavailable()).isNull();
        assertThat(database.told).containsExactly("lack", "back", "have", "lack");
        Link second = database.give();
        assertThat(slots.free().connection()).isSameAs(second);
    }

    @Test
    void connection_abandonedByABatchAndThenClosed_isOpenedAgainOnce() {
        Slots slots = open(1);
        Link first = database.give();
        slots.free().abandon(first);
        first.die();
        assertThat(database.asked).hasSize(1);
    }

    @Test
    void refused_again_isTriedMoreAndMoreSlowly() {
        Slots slots = open(1);
        for (long pause : new long[] {50, 100, 200, 400, 800, 1000, 1000}) {
            database.refuse(notThere);
            loop.pass(pause - 1);
            assertThat(database.asked).as("before %d ms", pause).isEmpty();
            loop.pass(1);
            assertThat(database.asked).as("after %d ms", pause).hasSize(1);
        }
        assertThat(slots.unavailable().code()).isEqualTo(ErrorCode.DATABASE_UNAVAILABLE);
        assertThat(slots.unavailable()).hasCause(notThere);
        assertThat(database.told).containsExactly("lack", "away");
        assertThat(changes).isEqualTo(1);
        database.give();
        assertThat(slots.unavailable()).isNull();
        assertThat(slots.free()).isNotNull();
        assertThat(changes).isEqualTo(2);
    }

    @Test
    void refused_afterALoss_beginsWithAShortPauseAgain() {
        open(1);
        for (int i = 0; i < 5; i++) {
            database.refuse(notThere);
            loop.pass(1000);
        }
        database.give().die();
        database.refuse(notThere);
        loop.pass(50);
        assertThat(database.asked).hasSize(1);
    }

    @Test
    void limit_anotherConnectionIsUp_isAskedForRarely() {
        Slots slots = open(2);
        database.give();
        loop.pass(1000);
        database.refuse(Engine.postgres("53300"));
        assertThat(slots.unavailable()).isNull();
        loop.pass(9999);
        assertThat(database.asked).isEmpty();
        loop.pass(1);
        assertThat(database.asked).hasSize(1);
    }

    @Test
    void limit_noConnectionIsUp_isAskedForSoonAndCallersAreTold() {
        database.lacks = true;
        Slots slots = open(1);
        database.refuse(Engine.postgres("53300"));
        assertThat(slots.unavailable().code()).isEqualTo(ErrorCode.DATABASE_UNAVAILABLE);
        assertThat(database.told).containsExactly("lack", "refused");
        loop.pass(50);
        assertThat(database.asked).hasSize(1);
    }

    @Test
    void silence_abandonsAllAndTellsCallers() {
        Slots slots = open(1);
        Link link = database.give();
        database.silence.run();
        assertThat(link.abandoned).isTrue();
        assertThat(slots.unavailable().code()).isEqualTo(ErrorCode.DATABASE_UNAVAILABLE);
    }

    @Test
    void batch_inFlightForTooLong_isAbandoned() {
        Slots slots = open(2);
        Link stuck = database.give();
        slots.free().take();
        loop.pass(1000);
        Link idle = database.give();
        loop.pass(STUCK_MS - 1000);
        assertThat(stuck.abandoned).isFalse();
        loop.pass(5000);
        assertThat(stuck.abandoned).isTrue();
        assertThat(idle.abandoned).isFalse();
    }

    @Test
    void close_endsAllAndOpensNone() {
        Slots slots = open(2);
        Link up = database.give();
        loop.pass(1000);
        slots.close();
        assertThat(up.closed).isTrue();
        Link late = database.give();
        assertThat(late.abandoned).isTrue();
        up.die();
        loop.pass(60_000);
        assertThat(database.asked).isEmpty();
    }

    /** A database whose connections the test gives or refuses. */
    private static final class FakeDatabase implements MessageDatabase {
        private final Deque<UniEmitter<? super Connection>> asked = new ArrayDeque<>();
        private final List<String> told = new ArrayList<>();
        private Runnable silence;
        private boolean lacks;

        private Link give() {
            Link link = new Link();
            asked.remove().complete(link);
            return link;
        }

        private void refuse(Throwable failure) {
            asked.remove().fail(failure);
        }

        @Override
        public Uni<Connection> open(String applicationName, int lockTimeoutMillis) {
            return Uni.createFrom().emitter(emitter -> asked.add(emitter));
        }

        @Override
        public void onSilence(Runnable action) {
            silence = action;
        }

        @Override
        public void isAway(Throwable failure) {
            told.add("away");
        }

        @Override
        public void isBack() {
            told.add("back");
        }

        @Override
        public void messagesLack(Object slots) {
            told.add("lack");
        }

        @Override
        public void messagesHave(Object slots) {
            told.add("have");
        }

        @Override
        public boolean messagesRefused(Object slots, Throwable failure) {
            told.add("refused");
            return lacks;
        }
    }

    /** A connection that can die. */
    private static final class Link implements Connection {
        private Runnable onClose;
        private boolean closed;
        private boolean abandoned;

        private void die() {
            onClose.run();
        }

        @Override
        public void onClose(Runnable action) {
            onClose = action;
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public void abandon() {
            abandoned = true;
        }

        @Override
        public Uni<Void> ping(long limitMillis) {
            throw new AssertionError();
        }

        @Override
        public Uni<Void> listen(String channel, Consumer<String> handler) {
            throw new AssertionError();
        }

        @Override
        public Uni<RowSet<Row>> query(String sql, Tuple arguments) {
            throw new AssertionError();
        }
    }
}
