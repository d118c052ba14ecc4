package io.queen.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopExecutorTest {

    @Test
    void later_loopHasEnded_isNoFailure() throws Exception {
        Vertx vertx = Vertx.vertx();
        LoopExecutor loop = new LoopExecutor((ContextInternal) vertx.getOrCreateContext());
        vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertThatCode(() -> loop.later(() -> {})).doesNotThrowAnyException();
    }
}
