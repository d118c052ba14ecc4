package io.queen.admin.maintenance;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.buffer.BufferFigures;
import io.queen.buffer.BufferStats;
import io.queen.message.QueenException;
import io.queen.web.JsonBody;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Holds pushes or pops back, on all servers of the database. */
@Path("/api/v1/system/maintenance")
@Tag(name = "System")
@APIResponse(responseCode = "default", ref = "Error")
final class MaintenanceResource {
    private final Maintenance maintenance;
    private final BufferStats buffer;

    MaintenanceResource(Maintenance maintenance, BufferStats buffer) {
        this.maintenance = maintenance;
        this.buffer = buffer;
    }

    @GET
    @Produces("application/json")
    @Operation(
            operationId = "showMaintenance",
            summary = "Both maintenance modes, as the database has them, and the file buffer of this server")
    @APIResponse(responseCode = "200", description = "What is on")
    public Uni<MaintenanceAnswer.State> get() {
        return maintenance.get().map(modes -> MaintenanceAnswer.state(modes, buffer.figures()));
    }

    @POST
    @Produces("application/json")
    @Operation(
            operationId = "setPushMaintenance",
            summary = "Switch push maintenance on or off",
            description = "On: pushes are written to the file buffer and answered `buffered`. Off: the buffer is"
                    + " emptied into the database. Everything else works on.")
    @RequestBody(
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = MaintenanceAnswer.Switch.class)))
    @APIResponse(responseCode = "200", description = "What is on now")
    @APIResponse(responseCode = "400", ref = "Error")
    public Uni<MaintenanceAnswer.Push> push(byte[] body) {
        boolean enabled = JsonBody.read(body, MaintenanceResource::enabled);
        return maintenance.setPush(enabled).map(modes -> push(modes, buffer.figures()));
    }

    @GET
    @Path("/pop")
    @Produces("application/json")
    @Operation(operationId = "showPopMaintenance", summary = "Whether pop maintenance is on")
    @APIResponse(responseCode = "200", description = "Whether it is on")
    public Uni<MaintenanceAnswer.Pop> getPop() {
        return maintenance.get().map(MaintenanceResource::pop);
    }

    @POST
    @Path("/pop")
    @Produces("application/json")
    @Operation(
            operationId = "setPopMaintenance",
            summary = "Switch pop maintenance on or off",
            description = "On: every pop, also one that waits already, is answered without messages and with `paused`."
                    + " Everything else works on.")
    @RequestBody(
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = MaintenanceAnswer.Switch.class)))
    @APIResponse(responseCode = "200", description = "Whether it is on now")
    @APIResponse(responseCode = "400", ref = "Error")
    public Uni<MaintenanceAnswer.Pop> pop(byte[] body) {
        return maintenance
                .setPop(JsonBody.read(body, MaintenanceResource::enabled))
                .map(MaintenanceResource::pop);
    }

    private static MaintenanceAnswer.Push push(MaintenanceModes modes, BufferFigures figures) {
        String message = modes.push()
                ? "Pushes are written to the file buffer until this is switched off"
                : "Pushes go to the database";
        return new MaintenanceAnswer.Push(modes.push(), figures.pending(), figures.healthy(), message);
    }

    private static MaintenanceAnswer.Pop pop(MaintenanceModes modes) {
        String message = modes.pop() ? "Pops are answered empty until this is switched off" : "Pops get messages";
        return new MaintenanceAnswer.Pop(modes.pop(), message);
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
