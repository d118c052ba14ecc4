package io.queen.database;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.io.IOException;

/**
 * Finds out whether PostgreSQL answers at all, without logging in: it is asked whether it speaks TLS, and says one byte. A
 * process that is frozen accepts connections, for the kernel does that, but says nothing. Unlike a connection that is
 * being opened, a probe can be ended: however long PostgreSQL is away, nothing piles up.
 */
final class DatabaseProbe {
    /** The SSLRequest of the PostgreSQL protocol: its length, and its code. */
    private final Buffer question = Buffer.buffer().appendInt(8).appendInt(80877103);

    private final Vertx vertx;
    private final NetClient client;

    DatabaseProbe(Vertx vertx, int connectTimeoutMillis) {
        this.vertx = vertx;
        this.client = vertx.createNetClient(new NetClientOptions().setConnectTimeout(connectTimeoutMillis));
    }

    /** Done when it has answered, within that time; else it fails. On the event loop of the caller. */
    Uni<Void> at(DatabaseAddress.Host host, long limitMillis) {
        return Uni.createFrom()
                .emitter(emitter -> client.connect(host.port(), host.name())
                        .onFailure(emitter::fail)
                        .onSuccess(socket -> ask(socket, limitMillis, emitter)));
    }

    private void ask(NetSocket socket, long limitMillis, UniEmitter<? super Void> emitter) {
        long timer = vertx.setTimer(limitMillis, ignored -> socket.close());
        socket.closeHandler(ignored -> {
            vertx.cancelTimer(timer);
            emitter.fail(new IOException("no answer within " + limitMillis + " ms"));
        });
        socket.handler(answer -> {
            emitter.complete(null);
            socket.close();
        });
        socket.write(question);
    }
}
