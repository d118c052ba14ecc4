package io.queen.web;

import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.util.concurrent.FastThreadLocal;
import io.queen.config.ByteSize;
import io.queen.config.QueenConfig;
import io.queen.message.ErrorCode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;

/**
 * Takes in the bodies of all requests, before anything else looks at them: whatever the answer will be, the body is read
 * or the connection ends, and a resource has the whole body at hand. Each event loop watches its own.
 */
@Singleton
final class BodyReceiver {
    /** The length of a body that does not tell it. */
    static final long UNKNOWN = -1;

    private final BodyMemory memory;
    private final long largest;
    private final FastThreadLocal<SlowBodies> watches;

    BodyReceiver(QueenConfig config, BodyMemory memory) {
        this.memory = memory;
        this.largest =
                Math.min(Math.min(ByteSize.bytes(config.http().maxBodySize()), memory.limit()), Integer.MAX_VALUE - 16);
        long patience = TimeUnit.MILLISECONDS.toNanos(config.http().bodyTimeout());
        this.watches = new FastThreadLocal<>() {
            @Override
            protected SlowBodies initialValue() {
                return new SlowBodies(memory, patience);
            }
        };
    }

    /** Hands the request on when its body is here, or answers it when it can't be. */
    void receive(RoutingContext context) {
        long length = length(context.request());
        if (length == 0) {
            context.next();
        } else if (length > largest) {
            refuse(context, tooLarge(context));
        } else {
            new IncomingBody(context, length, this).receive();
        }
    }

    /** Answers the request; its body, if it is not here yet, is not taken in. */
    void refuse(RoutingContext context, Problem problem) {
        HttpServerRequest request = context.request();
        if (request.isEnded() || length(request) == 0) {
            problem.send(context.response());
        } else {
            RefusedBody.answer(context, problem, this, expectsContinue(request));
        }
    }

    /** Whether the client waits to be told before it sends its body; refused, it does not send it. */
    static boolean expectsContinue(HttpServerRequest request) {
        return request.headers().contains(HttpHeaders.EXPECT, HttpHeaderValues.CONTINUE, true);
    }

    BodyMemory memory() {
        return memory;
    }

    /** That of the event loop that calls. */
    SlowBodies watch() {
        return watches.get();
    }

    /** No body may have more. */
    long largest() {
        return largest;
    }

    Problem tooLarge(RoutingContext context) {
        return Problem.of(
                ErrorCode.BODY_TOO_LARGE,
                "The body is larger than " + largest + " bytes",
                context.request().path());
    }

    private static long length(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            return request.isEnded() ? 0 : UNKNOWN; // what it tells is checked by nothing
        }
        String told = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (told != null) {
            return Long.parseLong(told);
        }
        return request.headers().contains(HttpHeaders.TRANSFER_ENCODING) ? UNKNOWN : 0;
    }
}
