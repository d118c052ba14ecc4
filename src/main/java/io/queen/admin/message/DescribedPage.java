package io.queen.admin.message;

import io.queen.encryption.PayloadCipher;
import io.queen.message.Page;
import io.queen.web.JsonAnswer;
import java.util.List;
import org.jboss.resteasy.reactive.RestResponse;

/** A part of a list, and how many there are in all. */
public record DescribedPage(List<DescribedMessage> messages, long total) {

    /** Under that name, each with its payload in the field, or why there is none in the error field. */
    public RestResponse<byte[]> answer(String name, String field, String errorField, Page page, PayloadCipher cipher) {
        return JsonAnswer.of(200, json -> {
            json.writeStartObject();
            json.writeArrayFieldStart(name);
            for (DescribedMessage message : messages) {
                json.writeRawValue(message.withPayload(field, errorField, cipher));
            }
            json.writeEndArray();
            json.writeNumberField("total", total);
            json.writeObjectFieldStart("pagination");
            json.writeNumberField("limit", page.limit());
            json.writeNumberField("offset", page.offset());
            json.writeEndObject();
            json.writeEndObject();
        });
    }
}
