package io.queen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.sidecar.FakeOperation.Job;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which operation gets the next connection. */
class DispatcherTest {
    private final BatchLimits single = Engine.LIMITS.single();

    @Test
    void run_severalOperationsWait_goInTheirOrder() {
        Engine engine = new Engine(1, single, Operation.POP, Operation.PUSH, Operation.ACK);
        submit(engine, Operation.POP, 1);
        engine.loop.turn();
        submit(engine, Operation.POP, 1);
        submit(engine, Operation.PUSH, 1);
        submit(engine, Operation.ACK, 1);
        assertThat(served(engine, 4)).containsExactly(Operation.POP, Operation.ACK, Operation.PUSH, Operation.POP);
    }

    @Test
    void run_manyOfAPrecedingOperation_theOtherHasItsTurnAfterFour() {
        Engine engine = new Engine(1, single, Operation.ACK, Operation.PUSH);
        submit(engine, Operation.ACK, 10);
        submit(engine, Operation.PUSH, 2);
        engine.loop.turn();
        assertThat(served(engine, 12))
                .containsExactly(
                        Operation.ACK,
                        Operation.ACK,
                        Operation.ACK,
                        Operation.ACK,
                        Operation.ACK,
                        Operation.PUSH,
                        Operation.ACK,
                        Operation.ACK,
                        Operation.ACK,
                        Operation.ACK,
                        Operation.PUSH,
                        Operation.ACK);
    }

    @Test
    void run_operationAtItsLimit_leavesConnectionsToOthers() {
        Engine engine = new Engine(3, single, Operation.ACK, Operation.PUSH);
        submit(engine, Operation.ACK, 5);
        engine.loop.turn();
        submit(engine, Operation.PUSH, 1);
        engine.loop.turn();
        assertThat(engine.operation(Operation.ACK).calls()).hasSize(2);
        assertThat(engine.operation(Operation.PUSH).calls()).hasSize(1);
    }

    @Test
    void run_oneOperationFails_othersAreNotTouched() {
        Engine engine = new Engine(2, single, Operation.ACK, Operation.PUSH);
        submit(engine, Operation.ACK, 1);
        submit(engine, Operation.PUSH, 1);
        engine.loop.turn();
        engine.fail(engine.operation(Operation.ACK).call(0), Engine.postgres("XX000"));
        assertThat(engine.operation(Operation.PUSH).calls()).hasSize(1);
    }

    private static void submit(Engine engine, Operation kind, int count) {
        for (int i = 0; i < count; i++) {
            engine.submit(kind, Job.of(kind + " " + i));
        }
    }

    /** Answers so many calls, one after the other, and tells of which operation each was. */
    private static List<Operation> served(Engine engine, int count) {
        List<Operation> served = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            for (Operation kind : Operation.values()) {
                FakeOperation operation = engine.operation(kind);
                int answered = (int) served.stream().filter(kind::equals).count();
                if (operation != null && operation.calls().size() > answered) {
                    served.add(kind);
                    engine.succeed(operation.call(answered));
                    break;
                }
            }
        }
        return served;
    }
}
