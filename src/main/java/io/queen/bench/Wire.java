package io.queen.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * One connection, kept alive: a request at a time, already as bytes, so that asking costs little. It is opened by the
 * first request, and by the next one after it broke. Touched by its own event loop only.
 */
final class Wire {
    private static final int CONNECT_TIMEOUT_MS = 5000;

    private final Target target;
    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private Channel channel;
    private Reply waiting;

    Wire(Target target, EventLoop loop) {
        this.target = target;
        this.loop = loop;
        this.bootstrap = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel opened) {
                        opened.pipeline().addLast(new HttpResponseDecoder(), new Receiver());
                    }
                });
    }

    EventLoop loop() {
        return loop;
    }

    /** Runs something on the event loop of this connection, after a while. */
    @SuppressWarnings("FutureReturnValueIgnored") // a turn that never comes is counted as one without an answer
    void later(Runnable task, long nanos) {
        loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    void send(byte[] request, Reply reply) {
        assert loop.inEventLoop();
        if (waiting != null) {
            throw new IllegalStateException("two requests on one connection");
        }
        waiting = reply;
        if (channel != null) {
            write(request);
        } else {
            bootstrap
                    .connect(target.host(), target.port())
                    .addListener((ChannelFuture connecting) -> connected(connecting, request));
        }
    }

    private void connected(ChannelFuture connecting, byte[] request) {
        if (connecting.isSuccess()) {
            channel = connecting.channel();
            write(request);
        } else {
            answer(Answer.failed("cannot connect: " + reason(connecting.cause())));
        }
    }

    private void write(byte[] request) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(request)).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    /** From any thread. */
    void close() {
        loop.execute(() -> {
            waiting = null;
            if (channel != null) {
                close(channel);
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // there is nothing to do about a connection that does not close
    private static void close(Channel unused) {
        unused.close();
    }

    private void answer(Answer answer) {
        Reply reply = waiting;
        waiting = null;
        if (reply != null) {
            reply.answered(answer);
        }
    }

    private void lost(Channel lost, String reason) {
        if (channel == lost) {
            channel = null;
            answer(Answer.failed(reason));
        }
    }

    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    /** Puts the pieces of an answer together. */
    private final class Receiver extends SimpleChannelInboundHandler<HttpObject> {
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private int status;
        private boolean last;

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject part) throws IOException {
            if (part.decoderResult().isFailure()) {
                throw new IOException("not an HTTP answer");
            }
            if (part instanceof HttpResponse response) {
                status = response.status().code();
                last = !HttpUtil.isKeepAlive(response);
                body.reset();
            }
            if (part instanceof HttpContent content) {
                content.content().readBytes(body, content.content().readableBytes());
            }
            if (part instanceof LastHttpContent) {
                complete(context.channel());
            }
        }

        private void complete(Channel from) {
            if (last) {
                channel = null;
                close(from);
            }
            answer(new Answer(status, body.toByteArray(), null));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            lost(context.channel(), "the server closed the connection");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
            lost(context.channel(), reason(failure));
            close(context.channel());
        }
    }
}
