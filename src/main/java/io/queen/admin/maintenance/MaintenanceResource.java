package io.queen.admin.maintenance;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.buffer.BufferStats;
import io.queen.message.QueenException;
import io.queen.web.Audited;
import io.queen.web.JsonBody;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;

/** Holds pushes or pops back, on all servers of the database. */
@Path("/api/v1/system/maintenance")
@Produces("application/json")
final class MaintenanceResource {
    private final Maintenance maintenance;
    private final BufferStats buffer;

    MaintenanceResource(Maintenance maintenance, BufferStats buffer) {
        this.maintenance = maintenance;
        this.buffer = buffer;
    }

    @GET
    public Uni<MaintenanceAnswer.State> get() {
        return maintenance.get().map(modes -> MaintenanceAnswer.State.of(modes, buffer.figures()));
    }

    @Audited
    @POST
    public Uni<MaintenanceAnswer.Push> push(byte[] body) {
        return maintenance
                .setPush(JsonBody.read(body, MaintenanceResource::enabled))
                .map(modes -> MaintenanceAnswer.Push.of(modes, buffer.figures()));
    }

    @GET
    @Path("/pop")
    public Uni<MaintenanceAnswer.Pop> getPop() {
        return maintenance.get().map(MaintenanceAnswer.Pop::of);
    }

    @Audited
    @POST
    @Path("/pop")
    public Uni<MaintenanceAnswer.Pop> pop(byte[] body) {
        return maintenance
                .setPop(JsonBody.read(body, MaintenanceResource::enabled))
                .map(MaintenanceAnswer.Pop::of);
    }

    private static boolean enabled(JsonBody body) throws IOException {
        Boolean enabled = null;
        boolean object = body.current() == JsonToken.START_OBJECT;
        for (String name = object ? body.nextField() : null; name != null; name = body.nextField()) {
            if (name.equals("enabled") && body.current().isBoolean()) {
                enabled = body.current() == JsonToken.VALUE_TRUE;
            } else if (name.equals("enabled")) {
                throw QueenException.invalid("enabled", "must be true or false");
            } else {
                body.unknown("", name);
            }
        }
        if (enabled == null) {
            throw QueenException.missing("enabled");
        }
        return enabled;
    }
}
