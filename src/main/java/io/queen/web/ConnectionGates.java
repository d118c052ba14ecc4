package io.queen.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.EventExecutor;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.HttpsServerStart;
import io.queen.origin.Cors;
import io.queen.runtime.OutOfMemory;
import io.queen.runtime.VertxInternals;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;

/**
 * Puts a {@link ConnectionGate} into every connection. Neither Quarkus nor Vert.x lets a program do so before the first
 * request, and that one may be the bad one: so the listening socket is asked, which hands each new connection on.
 * HTTP/2 goes without: it says what is wrong in frames of its own.
 */
@Singleton
final class ConnectionGates {
    private static final String NAME = "queen-gate";

    private final Vertx vertx;
    private final Cors cors;

    ConnectionGates(Vertx vertx, Cors cors) {
        this.vertx = vertx;
        this.cors = cors;
    }

    void open(@ObservesAsync HttpServerStart started) {
        open();
    }

    void openTls(@ObservesAsync HttpsServerStart started) {
        open();
    }

    private void open() {
        for (EventExecutor each : VertxInternals.acceptors(vertx)) {
            if (each instanceof SingleThreadEventLoop loop) {
                loop.execute(() -> loop.registeredChannelsIterator().forEachRemaining(this::guard));
            }
        }
    }

    private void guard(Channel listening) {
        if (listening instanceof ServerChannel && listening.pipeline().get(NAME) == null) {
            listening.pipeline().addFirst(NAME, new Accepting());
        }
    }

    /** In the listening socket: what it reads are connections, still empty. */
    private final class Accepting extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object connection) {
            ((Channel) connection).pipeline().addLast(new Newcomer());
            context.fireChannelRead(connection);
        }
    }

    /** In a new connection, until Vert.x has built it. */
    private final class Newcomer extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            ChannelHandlerContext tls = context.pipeline().context(SslHandler.class);
            if (tls == null) {
                guard(context.pipeline());
            } else {
                context.pipeline().addAfter(tls.name(), null, new Handshake());
            }
            context.fireChannelActive();
            context.pipeline().remove(this);
        }
    }

    /** With TLS Vert.x builds the connection when it hears of the handshake's end, before a request is decrypted. */
    private final class Handshake extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            context.fireUserEventTriggered(event);
            if (event instanceof SslHandshakeCompletionEvent done && done.isSuccess()) {
                guard(context.pipeline());
                context.pipeline().remove(this);
            }
        }
    }

    private void guard(ChannelPipeline pipeline) {
        VertxInternals.guard(pipeline, NAME, () -> new ConnectionGate(cors), OutOfMemory::check);
    }
}
