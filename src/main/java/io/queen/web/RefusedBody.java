package io.queen.web;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * What is left of a body that is not taken in: the request is answered at once, the rest is thrown away, and then the
 * connection ends. Many clients read an answer only when they have sent all, and a connection that is closed on bytes not
 * read loses the answer: hence the throwing away, as long as they move, of twice as many bytes as a body may have.
 */
final class RefusedBody extends SlowBodies.Watched implements Handler<Buffer> {
    private final HttpServerRequest request;
    private final SlowBodies watch;
    private final long mostDiscarded;

    private RefusedBody(HttpServerRequest request, SlowBodies watch, long mostDiscarded) {
        this.request = request;
        this.watch = watch;
        this.mostDiscarded = mostDiscarded;
    }

    /** Answers; {@code closeWhenSent} when the client sends nothing more of its body. */
    static void answer(RoutingContext context, Problem problem, BodyReceiver receiver, boolean closeWhenSent) {
        HttpServerRequest request = context.request();
        RefusedBody rest = new RefusedBody(request, receiver.watch(), 2 * receiver.largest());
        rest.watch.add(rest, context.vertx());
        request.exceptionHandler(failure -> rest.watch.remove(rest));
        request.endHandler(end -> rest.close());
        request.handler(rest);
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        problem.send(request.response()).onComplete(sent -> {
            if (closeWhenSent) {
                rest.close();
            }
        });
    }

    @Override
    public void handle(Buffer data) {
        if (moved(data.length()) > mostDiscarded) {
            close();
        }
    }

    @Override
    void tooSlow() {
        close();
    }

    private void close() {
        watch.remove(this);
        request.connection().close();
    }
}
