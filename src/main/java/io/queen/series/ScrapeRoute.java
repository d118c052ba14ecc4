package io.queen.series;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Lets a scrape that comes before depth and lag are known wait for them, for a moment. */
@Singleton
final class ScrapeRoute {
    /** Prometheus gives up after ten seconds by default. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private final QueueDepths depths;

    ScrapeRoute(QueueDepths depths) {
        this.depths = depths;
    }

    void register(@Observes Router router) {
        router.get("/metrics/prometheus").order(Integer.MIN_VALUE + 2).handler(this::prepare);
    }

    private void prepare(RoutingContext context) {
        Context own = Vertx.currentContext();
        depths.current()
                .ifNoItem()
                .after(LIMIT)
                .fail()
                .onFailure()
                .recoverWithNull()
                .subscribe()
                .with(done -> own.runOnContext(ignored -> context.next()));
    }
}
