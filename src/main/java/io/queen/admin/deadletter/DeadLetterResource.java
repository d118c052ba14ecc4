package io.queen.admin.deadletter;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.admin.message.DescribedMessage;
import io.queen.admin.message.MessageSchema;
import io.queen.admin.message.PayloadJson;
import io.queen.encryption.PayloadCipher;
import io.queen.message.Page;
import io.queen.web.ApiSchema;
import io.queen.web.JsonAnswer;
import io.queen.web.PageQuery;
import io.queen.web.RangeQuery;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;

/** Messages that groups gave up on. */
@Path("/api/v1/dlq")
@Tag(name = "Inspection")
@APIResponse(responseCode = "400", ref = "Error")
@APIResponse(responseCode = "default", ref = "Error")
final class DeadLetterResource {
    private static final int LETTERS = 100;

    private final DeadLetters deadLetters;
    private final PayloadCipher cipher;

    DeadLetterResource(DeadLetters deadLetters, PayloadCipher cipher) {
        this.deadLetters = deadLetters;
        this.cipher = cipher;
    }

    @GET
    @Produces("application/json")
    @Operation(
            operationId = "listDeadLetters",
            summary = "List dead letters",
            description = "The newest failure first; `from` and `to` are about the time of the failure.")
    @APIResponse(
            responseCode = "200",
            description = "A page of dead letters",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = MessageSchema.DeadLetters.class)))
    public Uni<RestResponse<byte[]>> list(
            @BeanParam DeadLetterQuery query, @BeanParam RangeQuery failed, @BeanParam PageQuery part) {
        Page page = part.page(LETTERS);
        return deadLetters
                .list(query.filter(failed.given()), page)
                .map(letters -> JsonAnswer.of(200, json -> write(json, letters, page)));
    }

    @DELETE
    @Produces("application/json")
    @Operation(
            operationId = "deleteDeadLetters",
            summary = "Forget dead letters",
            description = "All that match; `queue` is required. The messages stay, consumed.")
    @APIResponse(
            responseCode = "200",
            description = "How many were forgotten",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = MessageSchema.Forgotten.class)))
    @Parameter(
            name = "queue",
            in = ParameterIn.QUERY,
            required = true,
            schema = @Schema(type = SchemaType.STRING, maxLength = 255))
    public Uni<RestResponse<byte[]>> delete(@BeanParam DeadLetterQuery query, @BeanParam RangeQuery failed) {
        return deadLetters
                .delete(query.filterOfOneQueue(failed.given()))
                .map(deleted -> JsonAnswer.of(200, json -> {
                    json.writeStartObject();
                    json.writeNumberField("deleted", deleted);
                    json.writeEndObject();
                }));
    }

    @POST
    @Path("/redrive")
    @Produces("application/json")
    @Operation(
            operationId = "redriveDeadLetters",
            summary = "Redrive dead letters",
            description = "Each message that matches goes to the group that failed it, before what that group has not"
                    + " been given yet, with its id and transaction id; no other group sees it again. With"
                    + " `allGroups=true` a copy of it is pushed to the end of its partition instead, for every group,"
                    + " under a new id and the transaction id `<transaction id>~<message id>`. The filters stand in the"
                    + " query or in the body, where they count over those of the query; `queue` is required in one of"
                    + " them.")
    @APIResponse(
            responseCode = "200",
            description = "How many were redriven, and how many could not be because their message was removed",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = MessageSchema.Redriven.class)))
    @RequestBody(
            required = false,
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = ApiSchema.Redrive.class)))
    public Uni<RestResponse<byte[]>> redrive(
            @BeanParam DeadLetterQuery query, @BeanParam RangeQuery failed, @BeanParam RedriveQuery how, byte[] body) {
        DeadLetterReader.read(body, query, failed, how);
        return deadLetters
                .redrive(query.filterOfOneQueue(failed.given()), how.toAllGroups())
                .map(outcome -> JsonAnswer.of(200, json -> {
                    json.writeStartObject();
                    json.writeBooleanField("success", true);
                    json.writeNumberField("redriven", outcome.redriven());
                    json.writeNumberField("gone", outcome.gone());
                    json.writeEndObject();
                }));
    }

    private void write(JsonGenerator json, DeadLetterPage letters, Page page) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("messages");
        for (DescribedMessage letter : letters.letters()) {
            json.writeRawValue(PayloadJson.with(letter, "data", cipher));
        }
        json.writeEndArray();
        json.writeNumberField("total", letters.total());
        json.writeObjectFieldStart("pagination");
        json.writeNumberField("limit", page.limit());
        json.writeNumberField("offset", page.offset());
        json.writeEndObject();
        json.writeEndObject();
    }
}
