package io.queen.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queen.message.QueenException;
import java.util.function.Function;

/** The one way in which a reader may refuse a body. */
public final class Refusal {
    private Refusal() {}

    public static QueenException of(Function<byte[], ?> reader, String body) {
        return of(reader, body.getBytes(UTF_8));
    }

    public static QueenException of(Function<byte[], ?> reader, byte[] body) {
        return catchThrowableOfType(QueenException.class, () -> reader.apply(body));
    }
}
