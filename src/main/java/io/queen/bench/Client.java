package io.queen.bench;

import io.netty.channel.nio.NioEventLoopGroup;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The event loops of the generator, apart from those of any server in this process, and connections on them. */
public final class Client implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 120;

    private final NioEventLoopGroup loops = new NioEventLoopGroup(threads());

    /** Half of the cores: the rest is for the server, when it is on this machine. */
    static int threads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    Wire open(Target target) {
        return new Wire(target, loops.next());
    }

    /** Asks once and waits for the answer; not for use on an event loop. */
    Answer ask(Target target, byte[] request) {
        Wire wire = open(target);
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        wire.loop().execute(() -> wire.send(request, answer::complete));
        try {
            return answer.completeOnTimeout(
                            Answer.failed("no answer within " + PATIENCE_SECONDS + " s"),
                            PATIENCE_SECONDS,
                            TimeUnit.SECONDS)
                    .join();
        } finally {
            wire.close();
        }
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
