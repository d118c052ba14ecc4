package io.queen.sidecar;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.quarkus.arc.ClientProxy;
import io.quarkus.test.junit.QuarkusTest;
import io.queen.runtime.EventLoops;
import io.queen.testing.Partitions;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where a request is taken, sent and answered: on one thread, the event loop it came in on. */
@QuarkusTest
class EventLoopTest {
    private static final String WAY =
            "\\[taken, sent, returned, answered] on \\[vert.x-eventloop-thread-\\d+] back on its context: true";
    private static final int REQUESTS = 100;

    @Inject
    Vertx vertx;

    @Inject
    EventLoops loops;

    @Inject
    Sidecar sidecar;

    @Test
    void push_manyAtOnce_staysOnTheThreadItCameInOn() {
        String queue = Partitions.name("loops");
        Set<String> ways = IntStream.range(0, REQUESTS)
                .parallel()
                .mapToObj(i -> push(queue, "t" + i, 100 + i * 2000))
                .collect(Collectors.toSet());
        assertThat(ways).allSatisfy(way -> assertThat(way).matches(WAY));
    }

    @Test
    void sidecar_ofEachLoop_isAnInstanceOfItsOwn() {
        List<Uni<Integer>> all = loops.all().stream().map(this::identity).toList();
        assertThat(Uni.join().all(all).andFailFast().await().atMost(Duration.ofSeconds(10)))
                .doesNotHaveDuplicates();
    }

    private static String push(String queue, String id, int size) {
        return given().body(new byte[size])
                .post("/probe/loop/" + queue + "/" + id)
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    private Uni<Integer> identity(EventLoop loop) {
        ContextInternal context = ((VertxInternal) vertx)
                .createEventLoopContext(loop, null, getClass().getClassLoader());
        return Uni.createFrom()
                .emitter(emitter -> context.runOnContext(ignored ->
                        emitter.complete(System.identityHashCode(((ClientProxy) sidecar).arc_contextualInstance()))));
    }
}
