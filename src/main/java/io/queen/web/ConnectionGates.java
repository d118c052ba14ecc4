package io.queen.web;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.quarkus.vertx.http.HttpServerStart;
import io.queen.runtime.OutOfMemory;
import io.queen.runtime.VertxInternals;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;

/**
 * Puts a {@link ConnectionGate} into every connection. Neither Quarkus nor Vert.x lets a program do so before the first
 * request, and that one may be the bad one: so the listening socket is asked, which hands each new connection on. TLS and
 * HTTP/2 build their connections later and go without.
 */
@Singleton
final class ConnectionGates {
    private static final String NAME = "queen-gate";

    private final Vertx vertx;

    ConnectionGates(Vertx vertx) {
        this.vertx = vertx;
    }

    void open(@ObservesAsync HttpServerStart started) {
        for (EventExecutor each : VertxInternals.acceptors(vertx)) {
            if (each instanceof SingleThreadEventLoop loop) {
                loop.execute(() -> loop.registeredChannelsIterator().forEachRemaining(ConnectionGates::guard));
            }
        }
    }

    private static void guard(Channel listening) {
        if (listening instanceof ServerChannel && listening.pipeline().get(NAME) == null) {
            listening.pipeline().addFirst(NAME, new Accepting());
        }
    }

    /** In the listening socket: what it reads are connections, still empty. */
    private static final class Accepting extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object connection) {
            ((Channel) connection).pipeline().addLast(new Newcomer());
            context.fireChannelRead(connection);
        }
    }

    /** In a new connection, until Vert.x has built it. */
    private static final class Newcomer extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            ChannelPipeline pipeline = context.pipeline();
            VertxInternals.guard(pipeline, NAME, ConnectionGate::new, OutOfMemory::check);
            context.fireChannelActive();
            pipeline.remove(this);
        }
    }
}
