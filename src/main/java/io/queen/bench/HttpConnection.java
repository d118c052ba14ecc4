package io.queen.bench;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
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
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One connection, kept alive: a request at a time, already as bytes, so that asking costs little. It is opened by the
 * first request, and by the next one after it broke. Touched by its own event loop only.
 */
final class HttpConnection {
    private static final int CONNECT_TIMEOUT_MS = 5000;
    private static final int PATIENCE_SECONDS = 120;

    private final ServerAddress address;
    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private Channel channel;
    private Consumer<Answer> waiting;

    HttpConnection(ServerAddress address, EventLoop loop) {
        this.address = address;
        this.loop = loop;
        this.bootstrap = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel opened) {
                        HttpObjectAggregator whole = new HttpObjectAggregator(Integer.MAX_VALUE);
                        opened.pipeline().addLast(new HttpResponseDecoder(), whole, new Receiver());
                    }
                });
    }

    EventLoop loop() {
        return loop;
    }

    /** From any thread. */
    CompletableFuture<Answer> ask(byte[] request) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        loop.execute(() -> send(request, answer::complete));
        return answer;
    }

    /** Waits for the answer; not for use on an event loop. */
    Answer askAndWait(byte[] request) {
        Answer none = Answer.failed("no answer within " + PATIENCE_SECONDS + " s");
        return ask(request)
                .completeOnTimeout(none, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** The answer, or why there is none, is given once. */
    void send(byte[] request, Consumer<Answer> reply) {
        assert loop.inEventLoop();
        if (waiting != null) {
            throw new IllegalStateException("two requests on one connection");
        }
        waiting = reply;
        if (channel != null) {
            write(request);
        } else {
            bootstrap
                    .connect(address.host(), address.port())
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
                channel = null;
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // there is nothing to do about a connection that does not close
    private static void close(Channel unused) {
        unused.close();
    }

    private void answer(Answer answer) {
        Consumer<Answer> reply = waiting;
        waiting = null;
        if (reply != null) {
            reply.accept(answer);
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

    private final class Receiver extends SimpleChannelInboundHandler<FullHttpResponse> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) throws IOException {
            if (response.decoderResult().isFailure()) {
                throw new IOException("not an HTTP answer");
            }
            if (!HttpUtil.isKeepAlive(response)) {
                channel = null;
                close(context.channel());
            }
            answer(new Answer(response.status().code(), ByteBufUtil.getBytes(response.content()), null));
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
