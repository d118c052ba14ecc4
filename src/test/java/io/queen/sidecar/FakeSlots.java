package io.queen.sidecar;

import io.queen.database.Connection;
import io.queen.database.FakeConnections;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.runtime.Loop;
import java.util.ArrayList;
import java.util.List;

/** Connections that the test opens and loses. */
final class FakeSlots implements SlotSource {
    private final List<Slot> slots = new ArrayList<>();
    private QueenException unavailable;

    FakeSlots(int count, Loop loop) {
        for (int i = 0; i < count; i++) {
            Slot slot = new Slot(Slot::lose, loop::nanos);
            slot.opened(FakeConnections.open());
            slots.add(slot);
        }
    }

    @Override
    public Slot free() {
        return slots.stream().filter(Slot::isFree).findFirst().orElse(null);
    }

    @Override
    public QueenException unavailable() {
        return unavailable;
    }

    void goAway() {
        unavailable = new QueenException(ErrorCode.DATABASE_UNAVAILABLE, "away");
    }

    /** Opens those again that were lost. */
    void comeBack() {
        unavailable = null;
        slots.stream().filter(slot -> !slot.isUp()).forEach(slot -> slot.opened(FakeConnections.open()));
    }

    boolean isInUse(Connection connection) {
        return slots.stream().anyMatch(slot -> slot.connection() == connection);
    }
}
