package io.queen.web;

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
 * or the connection ends, and who answers has the whole body at hand. Each event loop watches its own.
 */
@Singleton
final class Arrivals {
    /** The length of a body that does not tell it. */
    static final long UNKNOWN = -1;

    private final Intake intake;
    private final long largest;
    private final FastThreadLocal<ArrivalWatch> watches;

    Arrivals(QueenConfig config, Intake intake) {
        this.intake = intake;
        this.largest =
                Math.min(Math.min(ByteSize.bytes(config.http().maxBodySize()), intake.limit()), Integer.MAX_VALUE - 16);
        long patience = TimeUnit.MILLISECONDS.toNanos(config.http().bodyTimeout());
        this.watches = new FastThreadLocal<>() {
            @Override
            protected ArrivalWatch initialValue() {
                return new ArrivalWatch(intake, patience);
            }
        };
    }

    /** Hands the request on when its body is here, or answers it when it can't be. */
    void take(RoutingContext context) {
        long length = length(context.request());
        if (length == 0) {
            context.next();
        } else if (length > largest) {
            arrival(context, length).refuse(tooLarge(context));
        } else {
            arrival(context, length).begin();
        }
    }

    /** Answers the request; its body, if it is not here yet, is not taken in. */
    void refuse(RoutingContext context, Problem problem) {
        long length = context.request().isEnded() ? 0 : length(context.request());
        if (length == 0) {
            ErrorAnswer.send(context.response(), problem);
        } else {
            arrival(context, length).refuse(problem);
        }
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

    private Arrival arrival(RoutingContext context, long length) {
        return new Arrival(context, length, this, intake, watches.get());
    }

    private static long length(HttpServerRequest request) {
        String told = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (request.version() == HttpVersion.HTTP_2) {
            return request.isEnded() ? 0 : UNKNOWN; // nobody has checked what it told
        }
        if (told != null) {
            return Long.parseLong(told);
        }
        return request.headers().contains(HttpHeaders.TRANSFER_ENCODING) ? UNKNOWN : 0;
    }
}
