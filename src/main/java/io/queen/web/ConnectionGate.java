package io.queen.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.origin.Cors;
import io.queen.runtime.VertxInternals;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;

/**
 * Stands in a connection between the decoder and Vert.x, which answers a request that is not HTTP without a body, and one
 * whose chunks are not HTTP not at all. Here both get the error body, and so does what the decoder should not have let
 * pass. Then the connection ends, a moment later: closed on bytes not read it would lose the answer.
 */
final class ConnectionGate extends ChannelInboundHandlerAdapter implements Handler<HttpServerRequest> {
    private static final long MOMENT_MILLIS = 1000;

    private final Cors cors;
    private IncomingBody arriving;
    private boolean ended;

    ConnectionGate(Cors cors) {
        this.cors = cors;
    }

    /** That of the connection; null when it has none. */
    static ConnectionGate of(HttpConnection connection) {
        return VertxInternals.handler(connection, ConnectionGate.class);
    }

    /** A body in chunks begins; null when it has ended. */
    void expect(IncomingBody body) {
        arriving = body;
    }

    /** A request that is not HTTP. */
    @Override
    public void handle(HttpServerRequest request) {
        request.routed("/*"); // for metrics, which would count by whatever path it asks for
        Throwable cause = request.decoderResult().cause();
        cors.addHeaders(request);
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        problem(cause, request.path()).send(request.response());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (ended) {
            ReferenceCountUtil.release(message);
        } else if (message instanceof HttpRequest head) {
            check(head);
            context.fireChannelRead(message);
        } else if (message instanceof HttpContent content
                && content.decoderResult().isFailure()) {
            ReferenceCountUtil.release(message);
            refuse(context);
        } else {
            context.fireChannelRead(message);
        }
    }

    /** Vert.x hands what is marked as a failure to {@link #handle}, when those before it are answered. */
    private void check(HttpRequest head) {
        String flaw = head.decoderResult().isSuccess() ? RequestHead.flaw(head) : null;
        if (flaw != null) {
            head.setDecoderResult(DecoderResult.failure(new QueenException(ErrorCode.BAD_REQUEST, flaw)));
        }
        ended = head.decoderResult().isFailure();
    }

    /** Vert.x tells of a request that is not HTTP once more, after its answer, to have the connection closed. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (ended) {
            closeSoon(context);
        } else {
            context.fireExceptionCaught(cause);
        }
    }

    private void refuse(ChannelHandlerContext context) {
        ended = true;
        if (arriving != null) {
            arriving.broken();
        }
        closeSoon(context);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whether it was closed here or by the client is the same
    private static void closeSoon(ChannelHandlerContext context) {
        Channel channel = context.channel();
        context.executor().schedule(() -> channel.close(), MOMENT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Problem problem(Throwable cause, String path) {
        if (cause instanceof TooLongHttpLineException) {
            return Problem.of(ErrorCode.URI_TOO_LONG, "The request line is longer than 16384 bytes", "");
        }
        if (cause instanceof QueenException flaw) {
            return Problem.of(flaw, path);
        }
        return cause instanceof TooLongHttpHeaderException
                ? Problem.of(ErrorCode.HEADERS_TOO_LARGE, "The headers are larger than 16384 bytes", path)
                : Problem.of(ErrorCode.BAD_REQUEST, "The request is not valid HTTP", path);
    }
}
