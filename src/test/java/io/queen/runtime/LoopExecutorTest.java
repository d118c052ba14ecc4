package io.queen.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.vertx.core.Vertx;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopExecutorTest {

    @Test
    void later_loopHasEnded_isNoFailure() throws Exception {
        Vertx vertx = Vertx.vertx();
        CompletableFuture<LoopExecutor> made = new CompletableFuture<>();
        vertx.runOnContext(ignored -> made.complete(new LoopExecutor(vertx)));
        LoopExecutor loop = made.get(30, TimeUnit.SECONDS);
        vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertThatCode(() -> loop.later(() -> {})).doesNotThrowAnyException();
    }
}
