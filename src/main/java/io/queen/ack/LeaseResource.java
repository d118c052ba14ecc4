package io.queen.ack;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.message.Renewal;
import io.queen.message.RenewalResult;
import io.queen.web.FieldRules;
import io.queen.web.JsonAnswer;
import io.queen.web.JsonBody;
import io.queen.web.TimeFormat;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import java.util.UUID;
import org.jboss.resteasy.reactive.RestResponse;

/** Keeps leases alive. */
@Path("/api/v1/lease")
@Produces("application/json")
final class LeaseResource {
    private static final int DEFAULT_SECONDS = 60;
    /** A year: a lease held longer is a mistake, and the sum must stay a time that PostgreSQL knows. */
    private static final int MAX_SECONDS = 31_536_000;

    private final Acks acks;

    LeaseResource(Acks acks) {
        this.acks = acks;
    }

    @POST
    @Path("/{leaseId}/extend")
    public Uni<RestResponse<byte[]>> extend(@PathParam("leaseId") String leaseId, byte[] body) {
        int seconds = body == null || body.length == 0 ? DEFAULT_SECONDS : JsonBody.read(body, LeaseResource::seconds);
        if (!FieldRules.isUuid(leaseId)) {
            throw notFound(leaseId);
        }
        return acks.renew(new Renewal(UUID.fromString(leaseId), seconds)).map(result -> answer(leaseId, result));
    }

    private static int seconds(JsonBody body) throws IOException {
        if (body.isEmptyArray()) {
            return DEFAULT_SECONDS;
        }
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.invalid("body", "must be an object");
        }
        int seconds = DEFAULT_SECONDS;
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            if (name.equals("seconds")) {
                seconds = body.isNull() ? DEFAULT_SECONDS : FieldRules.integer(body.scalar(), name, 1, MAX_SECONDS);
            } else {
                body.unknown("", name);
            }
        }
        return seconds;
    }

    private static RestResponse<byte[]> answer(String leaseId, RenewalResult result) {
        return switch (result.outcome()) {
            case NOT_FOUND -> throw notFound(leaseId);
            case EXPIRED -> throw new QueenException(ErrorCode.LEASE_EXPIRED, "Lease already expired: " + leaseId);
            case RENEWED -> renewed(leaseId, TimeFormat.millis(result.expiresAt()));
        };
    }

    private static QueenException notFound(String leaseId) {
        return new QueenException(ErrorCode.LEASE_NOT_FOUND, "Lease not found: " + leaseId);
    }

    private static RestResponse<byte[]> renewed(String leaseId, String expiresAt) {
        return JsonAnswer.of(200, json -> {
            json.writeStartObject();
            json.writeNumberField("index", 0);
            json.writeStringField("leaseId", leaseId);
            json.writeBooleanField("success", true);
            json.writeNullField("error");
            json.writeStringField("expiresAt", expiresAt);
            json.writeStringField("newExpiresAt", expiresAt);
            json.writeStringField("lease_expires_at", expiresAt);
            json.writeEndObject();
        });
    }
}
