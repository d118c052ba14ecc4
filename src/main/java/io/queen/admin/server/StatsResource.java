package io.queen.admin.server;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.web.JsonAnswer;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;

/** For clients that know servers whose counters are refreshed from time to time. */
@Path("/api/v1/stats")
@Tag(name = "System")
@APIResponse(responseCode = "default", ref = "Error")
final class StatsResource {

    @POST
    @Path("/refresh")
    @Produces("application/json")
    @Operation(
            operationId = "refreshStats",
            summary = "Nothing to do: counters are always live",
            description = "Answers with zeros, because nothing was out of date.")
    @APIResponse(responseCode = "200", description = "What was refreshed: nothing")
    public RestResponse<byte[]> refresh() {
        return JsonAnswer.of(200, StatsResource::write);
    }

    private static void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        write(json, "partition", "partitionsUpdated");
        write(json, "queue", "queuesUpdated");
        write(json, "namespace", "namespacesUpdated");
        write(json, "task", "tasksUpdated");
        write(json, "system", "systemUpdated");
        write(json, "cleanup", "orphanedDeleted");
        json.writeStringField("message", "Counters are always live: there was nothing to refresh");
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String part, String count) throws IOException {
        json.writeObjectFieldStart(part);
        json.writeNumberField(count, 0);
        json.writeEndObject();
    }
}
