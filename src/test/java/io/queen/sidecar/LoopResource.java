package io.queen.sidecar;

import io.queen.message.PushItem;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Pushes like the real resource and answers with the way the request took; part of the tests' server only. */
@Path("/probe/loop")
public final class LoopResource {
    private static final Map<String, List<Station>> WAYS = new ConcurrentHashMap<>();

    private final LoopProbe probe;

    LoopResource(LoopProbe probe) {
        this.probe = probe;
    }

    /** Where a request was at one point of its way. */
    private record Station(String name, Thread thread, Object context) {}

    @POST
    @Path("{queue}/{id}")
    public Uni<String> push(@PathParam("queue") String queue, @PathParam("id") String id, byte[] body) {
        note(id, "taken");
        return probe.push(new PushItem(queue, "p", id, null, Integer.toString(body.length), null))
                .invoke(() -> note(id, "answered"))
                .map(ignored -> describe(WAYS.remove(id)));
    }

    static void note(String id, String name) {
        WAYS.computeIfAbsent(id, key -> new ArrayList<>())
                .add(new Station(name, Thread.currentThread(), Vertx.currentContext()));
    }

    /** Stations, threads, and whether the answer came on the context of the request. */
    private static String describe(List<Station> way) {
        List<String> names = way.stream().map(Station::name).toList();
        List<String> threads = way.stream()
                .map(station -> station.thread().getName())
                .distinct()
                .toList();
        boolean sameContext = way.get(0).context() == way.get(way.size() - 1).context();
        return names + " on " + threads + " back on its context: " + sameContext;
    }
}
