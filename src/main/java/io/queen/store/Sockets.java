package io.queen.store;

import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.Connection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.impl.SqlConnectionInternal;

/** What the driver's interface does not offer. */
final class Sockets {
    private Sockets() {}

    /**
     * Ends a connection without a word to the other side, which may not listen any more. The driver's own close waits
     * until what was sent before is answered.
     */
    static void close(SqlConnection connection) {
        Connection inner = ((SqlConnectionInternal) connection).unwrap().unwrap();
        if (inner instanceof SocketConnectionBase socket) {
            socket.socket().close();
        }
    }
}
