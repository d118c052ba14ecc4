package io.queen.runtime;

import io.netty.channel.EventLoop;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.context.spi.AlterableContext;
import jakarta.enterprise.context.spi.Contextual;
import jakarta.enterprise.context.spi.CreationalContext;
import java.lang.annotation.Annotation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the beans of {@link EventLoopScoped}, by the Netty event loop of the caller. Each loop has a map of its own that
 * only its thread writes; the outer map changes when a loop is first seen and never again.
 */
public final class EventLoopContext implements AlterableContext {
    private final Map<EventLoop, Map<Contextual<?>, Held<?>>> loops = new ConcurrentHashMap<>();

    private record Held<T>(Contextual<T> bean, T instance, CreationalContext<T> creation) {
        void destroy() {
            bean.destroy(instance, creation);
        }
    }

    @Override
    public Class<? extends Annotation> getScope() {
        return EventLoopScoped.class;
    }

    @Override
    public boolean isActive() {
        return VertxInternals.currentLoop() != null;
    }

    @Override
    public <T> T get(Contextual<T> bean, CreationalContext<T> creation) {
        Map<Contextual<?>, Held<?>> beans = current();
        @SuppressWarnings("unchecked") // put in below under the same key
        Held<T> held = (Held<T>) beans.get(bean);
        if (held == null && creation != null) {
            held = new Held<>(bean, bean.create(creation), creation);
            beans.put(bean, held);
        }
        return held == null ? null : held.instance();
    }

    @Override
    public <T> T get(Contextual<T> bean) {
        return get(bean, null);
    }

    @Override
    public void destroy(Contextual<?> bean) {
        Held<?> held = current().remove(bean);
        if (held != null) {
            held.destroy();
        }
    }

    private Map<Contextual<?>, Held<?>> current() {
        EventLoop loop = VertxInternals.currentLoop();
        if (loop == null) {
            throw new ContextNotActiveException("not on an event loop: " + Thread.currentThread());
        }
        return loops.computeIfAbsent(loop, l -> new ConcurrentHashMap<>());
    }
}
