package io.queen.database;

import io.netty.channel.Channel;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.Connection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.impl.SqlConnectionInternal;

/** What the driver's interface does not offer. */
final class ForcedClose {
    private ForcedClose() {}

    /**
     * Ends a connection without a word to the other side, which may not listen any more: what waits on it fails. Past the
     * handlers of the driver, for these hold a close back until all that was sent before is answered.
     */
    static void close(SqlConnection connection) {
        Connection inner = ((SqlConnectionInternal) connection).unwrap().unwrap();
        if (inner instanceof SocketConnectionBase socket) {
            Channel channel = socket.socket().channelHandlerContext().channel();
            channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise()));
        }
    }
}
