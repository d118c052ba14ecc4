package io.queen.web;

import io.netty.handler.codec.http.HttpHeaderValues;
import io.queen.message.ErrorCode;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.CompletionCallback;
import java.util.Arrays;

/**
 * A body on its way in, on the event loop of its connection. It is gathered in one array that grows with what comes, so
 * that what it takes is what it counts as, also when it comes in chunks of a byte.
 *
 * <pre>
 *   begin ─ coming ─ whole → the request goes on ─ taken by a resource ─ its work is done: room given back
 *              └ refused (too large, no room, broken): answered at once, the rest is thrown away, the connection ends
 *              └ cut off (nothing moves): answered, the connection ends
 * </pre>
 *
 * <p>Many clients read an answer only when they have sent all, and a connection that is closed on bytes not read loses
 * the answer: hence the throwing away, of as many bytes as a body may have and as long as they move.
 */
final class Arrival implements Handler<Buffer>, CompletionCallback {
    private static final String KEY = Arrival.class.getName();
    private static final byte[] NOTHING = {};

    private enum State {
        NEW,
        COMING,
        WHOLE,
        LEFT
    }

    private final RoutingContext context;
    private final HttpServerRequest request;
    private final long announced;
    private final Arrivals arrivals;
    private final Intake intake;
    private final ArrivalWatch watch;

    /** Neighbours in the chain of the watch. */
    Arrival before;

    Arrival after;

    private byte[] bytes = NOTHING;
    private int length;
    private long room;
    private long moved;
    private long movedAtLook;
    private long movingSince;
    private State state = State.NEW;
    private boolean taken;
    private ConnectionGate gate;

    Arrival(RoutingContext context, long announced, Arrivals arrivals, Intake intake, ArrivalWatch watch) {
        this.context = context;
        this.request = context.request();
        this.announced = announced;
        this.arrivals = arrivals;
        this.intake = intake;
        this.watch = watch;
    }

    /** The body of a request that had one, for who reads it; he gives back its room when its work is done. */
    static Arrival takeFrom(RoutingContext context) {
        Arrival body = context.get(KEY);
        if (body != null) {
            body.taken = true;
        }
        return body;
    }

    byte[] bytes() {
        return bytes;
    }

    void begin() {
        attach();
        context.addEndHandler(ended -> answered());
        if (continues()) {
            request.response().writeContinue();
            request.headers().remove(HttpHeaders.EXPECT); // told once
        }
    }

    /** Answers now; the body goes nowhere. */
    void refuse(Problem problem) {
        boolean kept = continues(); // who asked before sending does not send now
        if (state == State.NEW) {
            attach();
        }
        leave();
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        ErrorAnswer.send(request.response(), problem).onComplete(sent -> {
            if (kept) {
                close();
            }
        });
    }

    /** The sender broke the rules of chunks. */
    void broken() {
        if (state == State.COMING) {
            refuse(problem(ErrorCode.BAD_REQUEST, "The chunks of the body are not valid HTTP"));
        }
    }

    @Override
    public void handle(Buffer data) {
        moved += data.length();
        if (state == State.LEFT) {
            if (moved > 2 * arrivals.largest()) {
                close();
            }
        } else if (length + (long) data.length() > arrivals.largest()) {
            refuse(arrivals.tooLarge(context));
        } else if (makesRoom(length + data.length())) {
            data.getBytes(bytes, length);
            length += data.length();
        } else {
            refuse(problem(ErrorCode.OVERLOADED, "Too much is being taken in, try again soon"));
        }
    }

    /** Called from time to time until all is here; too little moved since {@code allowed} nanoseconds ago ends it. */
    void look(long now, long allowed) {
        if (moved - movedAtLook >= ArrivalWatch.LEAST_BYTES) {
            movedAtLook = moved;
            movingSince = now;
        } else if (now - movingSince > allowed) {
            cutOff();
        }
    }

    /** The work of who took it is done, or the client has gone and nobody does any. */
    @Override
    public void onComplete(Throwable failure) {
        giveBack();
    }

    private void attach() {
        state = State.COMING;
        movingSince = System.nanoTime();
        watch.add(this, context.vertx());
        request.exceptionHandler(failure -> gone());
        request.endHandler(end -> end());
        if (announced < 0) {
            gate = ConnectionGate.of((ConnectionBase) request.connection());
            if (gate != null) {
                gate.expect(this);
            }
        }
        request.handler(this);
    }

    private void end() {
        detach();
        if (state == State.LEFT) {
            close();
            return;
        }
        state = State.WHOLE;
        if (length < bytes.length) {
            bytes = Arrays.copyOf(bytes, length);
            intake.done(room - length);
            room = length;
        }
        context.put(KEY, this);
        context.next();
    }

    private boolean makesRoom(int needed) {
        if (needed <= bytes.length) {
            return true;
        }
        long most = announced < 0 ? arrivals.largest() : announced;
        int size = (int) Math.max(needed, Math.min(bytes.length + bytes.length / 2L, most));
        if (!intake.admits(room, size - room)) {
            return false;
        }
        room = size;
        bytes = Arrays.copyOf(bytes, size);
        return true;
    }

    private void cutOff() {
        detach();
        if (state == State.LEFT) {
            close();
            return;
        }
        leave();
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        ErrorAnswer.send(
                        request.response(),
                        problem(ErrorCode.BODY_TIMEOUT, "The body did not arrive in time: too little of it came"))
                .onComplete(sent -> close());
    }

    private void answered() {
        if (!taken) {
            giveBack();
        }
    }

    /** The connection has ended, perhaps long after the body was here. */
    private void gone() {
        detach();
        if (state != State.WHOLE) {
            leave();
        }
    }

    private void leave() {
        state = State.LEFT;
        giveBack();
    }

    private void giveBack() {
        long had = room;
        room = 0;
        bytes = NOTHING;
        intake.done(had);
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

    private boolean continues() {
        return request.headers().contains(HttpHeaders.EXPECT, HttpHeaderValues.CONTINUE, true);
    }

    private Problem problem(ErrorCode code, String detail) {
        return Problem.of(code, detail, request.path());
    }
}
