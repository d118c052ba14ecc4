package io.queen.web;

import io.queen.message.ErrorCode;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.CompletionCallback;
import java.util.Arrays;

/**
 * The body of a request on its way in, on the event loop of its connection. It is gathered in one array that grows with
 * what comes, so that what it takes is what it counts as, also when it comes in chunks of a byte. When it is complete the
 * request goes on; a resource takes it, and when its work is done the memory is given back. A body that is too large or
 * too slow, for which there is no memory, or whose chunks are broken becomes a {@link RefusedBody}.
 */
final class IncomingBody extends SlowBodies.Watched implements Handler<Buffer>, CompletionCallback {
    private static final String KEY = IncomingBody.class.getName();
    private static final byte[] NOTHING = {};

    private final RoutingContext context;
    private final HttpServerRequest request;
    private final long announced;
    private final BodyReceiver receiver;
    private final SlowBodies watch;
    private byte[] bytes = NOTHING;
    private int length;
    private long reserved;
    private boolean complete;
    private boolean taken;
    private ConnectionGate gate;

    /** {@code announced} is its length as the client tells it, {@link BodyReceiver#UNKNOWN} if it does not. */
    IncomingBody(RoutingContext context, long announced, BodyReceiver receiver) {
        this.context = context;
        this.request = context.request();
        this.announced = announced;
        this.receiver = receiver;
        this.watch = receiver.watch();
    }

    /** The body of a request that had one. The caller gives back its memory when its work is done: {@link #onComplete}. */
    static IncomingBody takeFrom(RoutingContext context) {
        IncomingBody body = context.get(KEY);
        if (body != null) {
            body.taken = true;
        }
        return body;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Hands the request on when all is here. */
    void receive() {
        watch.add(this, context.vertx());
        request.exceptionHandler(failure -> disconnected());
        request.endHandler(end -> end());
        if (announced == BodyReceiver.UNKNOWN) {
            gate = ConnectionGate.of(request.connection());
            if (gate != null) {
                gate.expect(this);
            }
        }
        request.handler(this);
        context.addEndHandler(answered -> {
            if (!taken) {
                giveBack();
            }
        });
        if (BodyReceiver.expectsContinue(request)) {
            request.response().writeContinue();
            request.headers().remove(HttpHeaders.EXPECT); // told once
        }
    }

    @Override
    public void handle(Buffer data) {
        moved(data.length());
        if (length + (long) data.length() > receiver.largest()) {
            refuse(receiver.tooLarge(context), false);
        } else if (makeRoom(length + data.length())) {
            data.getBytes(bytes, length);
            length += data.length();
        } else {
            refuse(ErrorCode.OVERLOADED, "Too much is being taken in, try again soon", false);
        }
    }

    private boolean makeRoom(int needed) {
        if (needed <= bytes.length) {
            return true;
        }
        long most = announced == BodyReceiver.UNKNOWN ? receiver.largest() : announced;
        int size = (int) Math.max(needed, Math.min(bytes.length + bytes.length / 2L, most));
        if (!receiver.memory().reserve(reserved, size - reserved)) {
            return false;
        }
        reserved = size;
        bytes = Arrays.copyOf(bytes, size);
        return true;
    }

    private void end() {
        detach();
        complete = true;
        if (length < bytes.length) {
            bytes = Arrays.copyOf(bytes, length);
            receiver.memory().release(reserved - length);
            reserved = length;
        }
        context.put(KEY, this);
        context.next();
    }

    /** The sender broke the rules of chunks. */
    void broken() {
        refuse(ErrorCode.BAD_REQUEST, "The chunks of the body are not valid HTTP", false);
    }

    @Override
    void tooSlow() {
        refuse(ErrorCode.BODY_TIMEOUT, "The body did not arrive in time: too little of it came", true);
    }

    private void refuse(ErrorCode code, String detail, boolean closeWhenSent) {
        refuse(Problem.of(code, detail, request.path()), closeWhenSent);
    }

    private void refuse(Problem problem, boolean closeWhenSent) {
        detach();
        giveBack();
        RefusedBody.answer(context, problem, receiver, closeWhenSent);
    }

    /** The connection has ended, perhaps long after the body was here. */
    private void disconnected() {
        detach();
        if (!complete) {
            giveBack();
        }
    }

    /** The work of the resource that took it is done, or the client has gone and there is none. */
    @Override
    public void onComplete(Throwable failure) {
        giveBack();
    }

    private void giveBack() {
        receiver.memory().release(reserved);
        reserved = 0;
        bytes = NOTHING;
    }

    private void detach() {
        watch.remove(this);
        if (gate != null) {
            gate.expect(null);
        }
    }
}
