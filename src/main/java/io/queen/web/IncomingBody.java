package io.queen.web;

import io.netty.handler.codec.http.HttpHeaderValues;
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
 * what comes, so that what it takes is what it counts as, also when it comes in chunks of a byte.
 *
 * <pre>
 *   receive ─ ARRIVING ─ COMPLETE → the request goes on ─ taken by a resource ─ its work is done: memory given back
 *                └ REFUSED: too large, no memory, broken: answered at once, the rest is thrown away, the connection ends
 *                └ REFUSED: too slow: answered, the connection ends
 * </pre>
 *
 * <p>Many clients read an answer only when they have sent all, and a connection that is closed on bytes not read loses
 * the answer: hence the throwing away, of as many bytes as a body may have and as long as they move.
 */
final class IncomingBody implements Handler<Buffer>, CompletionCallback {
    private static final String KEY = IncomingBody.class.getName();
    private static final byte[] NOTHING = {};

    private enum State {
        NEW,
        ARRIVING,
        COMPLETE,
        REFUSED
    }

    private final RoutingContext context;
    private final HttpServerRequest request;
    private final long announced;
    private final BodyReceiver receiver;
    private final SlowBodies watch;

    /** Neighbours in the chain of the watch. */
    IncomingBody before;

    IncomingBody after;

    private byte[] bytes = NOTHING;
    private int length;
    private long reserved;
    private long moved;
    private long movedAtLook;
    private long movingSince;
    private State state = State.NEW;
    private boolean taken;
    private ConnectionGate gate;

    /**
     * @param announced its length as the client tells it, {@link BodyReceiver#UNKNOWN} if it does not
     * @param watch that of this event loop
     */
    IncomingBody(RoutingContext context, long announced, BodyReceiver receiver, SlowBodies watch) {
        this.context = context;
        this.request = context.request();
        this.announced = announced;
        this.receiver = receiver;
        this.watch = watch;
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
        attach();
        context.addEndHandler(answered -> {
            if (!taken) {
                giveBack();
            }
        });
        if (expectsContinue()) {
            request.response().writeContinue();
            request.headers().remove(HttpHeaders.EXPECT); // told once
        }
    }

    /** Answers now; the body goes nowhere. */
    void refuse(Problem problem) {
        boolean unsent = expectsContinue(); // such a client does not send its body now
        if (state == State.NEW) {
            attach();
        }
        refuse(problem, unsent);
    }

    private void refuse(Problem problem, boolean closeWhenSent) {
        state = State.REFUSED;
        giveBack();
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        problem.send(request.response()).onComplete(sent -> {
            if (closeWhenSent) {
                close();
            }
        });
    }

    /** The sender broke the rules of chunks. */
    void broken() {
        if (state == State.ARRIVING) {
            refuse(problem(ErrorCode.BAD_REQUEST, "The chunks of the body are not valid HTTP"));
        }
    }

    private void attach() {
        state = State.ARRIVING;
        movingSince = System.nanoTime();
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
    }

    @Override
    public void handle(Buffer data) {
        moved += data.length();
        if (state == State.REFUSED) {
            if (moved > 2 * receiver.largest()) {
                close();
            }
        } else if (length + (long) data.length() > receiver.largest()) {
            refuse(receiver.tooLarge(context));
        } else if (makeRoom(length + data.length())) {
            data.getBytes(bytes, length);
            length += data.length();
        } else {
            refuse(problem(ErrorCode.OVERLOADED, "Too much is being taken in, try again soon"));
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
        if (state == State.REFUSED) {
            close();
            return;
        }
        state = State.COMPLETE;
        if (length < bytes.length) {
            bytes = Arrays.copyOf(bytes, length);
            receiver.memory().release(reserved - length);
            reserved = length;
        }
        context.put(KEY, this);
        context.next();
    }

    /** Called from time to time until all is here; too little moved since {@code allowed} nanoseconds ago ends it. */
    void look(long now, long allowed) {
        if (moved - movedAtLook >= SlowBodies.LEAST_BYTES) {
            movedAtLook = moved;
            movingSince = now;
        } else if (now - movingSince > allowed) {
            detach();
            if (state == State.REFUSED) {
                close();
            } else {
                refuse(problem(ErrorCode.BODY_TIMEOUT, "The body did not arrive in time: too little of it came"), true);
            }
        }
    }

    /** The connection has ended, perhaps long after the body was here. */
    private void disconnected() {
        detach();
        if (state != State.COMPLETE) {
            state = State.REFUSED;
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

    private void close() {
        detach();
        request.connection().close();
    }

    private boolean expectsContinue() {
        return request.headers().contains(HttpHeaders.EXPECT, HttpHeaderValues.CONTINUE, true);
    }

    private Problem problem(ErrorCode code, String detail) {
        return Problem.of(code, detail, request.path());
    }
}
