package io.queen.web;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.util.List;
import java.util.Map;

/** Fails in every way a resource can; part of the tests' server only. */
@Path("/probe")
@Produces("application/json")
public final class ProbeResource {

    /** A body as a parser takes it. */
    public record Body(String name, List<Item> items) {}

    /** An element of the body. */
    public record Item(int size) {}

    @POST
    @Path("bytes")
    public Uni<Map<String, Integer>> bytes(byte[] body) {
        return Uni.createFrom().item(Map.of("length", body.length));
    }

    @POST
    @Path("json")
    public Uni<String> json(Body body) {
        return Uni.createFrom().item("{}");
    }

    @GET
    @Path("code/{code}")
    public Uni<String> code(@PathParam("code") String code) {
        return Uni.createFrom().failure(new QueenException(ErrorCode.valueOf(code), "Told by the test"));
    }

    @GET
    @Path("missing")
    public Uni<String> missing() {
        return Uni.createFrom().failure(QueenException.missing("items[3].queue"));
    }

    @GET
    @Path("unforeseen")
    public Uni<String> unforeseen() {
        return Uni.createFrom().failure(new IllegalStateException("secret inside"));
    }

    @GET
    @Path("unforeseen-blocking")
    public String unforeseenBlocking() {
        return Integer.toString(Integer.parseInt("secret inside"));
    }
}
