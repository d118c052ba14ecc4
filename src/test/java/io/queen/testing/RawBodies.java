package io.queen.testing;

import io.restassured.config.EncoderConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.ContentType;

/** REST Assured sends bytes as they are, whatever their content type. */
public final class RawBodies {
    public static final RestAssuredConfig CONFIG = RestAssuredConfig.config()
            .encoderConfig(EncoderConfig.encoderConfig()
                    .appendDefaultContentCharsetToContentTypeIfUndefined(false)
                    .encodeContentTypeAs("application/x-www-form-urlencoded", ContentType.BINARY)
                    .encodeContentTypeAs("x/y", ContentType.BINARY));

    private RawBodies() {}
}
