package io.queen.admin.deadletter;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.admin.message.DescribedMessage;
import io.queen.admin.message.PayloadJson;
import io.queen.encryption.PayloadCipher;
import io.queen.message.Page;
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
import org.jboss.resteasy.reactive.RestResponse;

/** Messages that groups gave up on. */
@Path("/api/v1/dlq")
@Produces("application/json")
final class DeadLetterResource {
    private static final int LETTERS = 100;

    private final DeadLetters deadLetters;
    private final PayloadCipher cipher;

    DeadLetterResource(DeadLetters deadLetters, PayloadCipher cipher) {
        this.deadLetters = deadLetters;
        this.cipher = cipher;
    }

    @GET
    public Uni<RestResponse<byte[]>> list(
            @BeanParam DeadLetterQuery query, @BeanParam RangeQuery failed, @BeanParam PageQuery part) {
        Page page = part.page(LETTERS);
        return deadLetters
                .list(query.filter(failed.given()), page)
                .map(letters -> JsonAnswer.of(200, json -> write(json, letters, page)));
    }

    @DELETE
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
