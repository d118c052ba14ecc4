package io.queen.runtime;

import jakarta.enterprise.inject.build.compatible.spi.BuildCompatibleExtension;
import jakarta.enterprise.inject.build.compatible.spi.Discovery;
import jakarta.enterprise.inject.build.compatible.spi.MetaAnnotations;

/** Tells CDI of the scope; found through META-INF/services, at build time. */
public final class EventLoopScopeExtension implements BuildCompatibleExtension {

    @Discovery
    public void register(MetaAnnotations annotations) {
        annotations.addContext(EventLoopScoped.class, EventLoopContext.class);
    }
}
