package io.queen.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.testing.Refusal;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Whatever a body is broken by, a reader answers with a refusal and nothing else. */
public abstract class BrokenBodyContract {

    private final Function<byte[], ?> reader;
    private final String body;

    /** @param body one that the reader takes */
    protected BrokenBodyContract(Function<byte[], ?> reader, String body) {
        this.reader = reader;
        this.body = body;
    }

    @Test
    void body_whole_isRead() {
        assertThat(reader.apply(body.getBytes(UTF_8))).isNotNull();
    }

    @Test
    void body_truncatedAnywhere_isRefused() {
        byte[] bytes = body.getBytes(UTF_8);
        for (int length = 0; length < bytes.length; length++) {
            QueenException refusal = Refusal.of(reader, Arrays.copyOf(bytes, length));
            assertThat(refusal).as("first %d bytes", length).isNotNull();
            assertThat(refusal.code().status()).isEqualTo(400);
        }
    }

    @Test
    void body_oneByteReplacedAnywhere_isReadOrRefused() {
        byte[] bytes = body.getBytes(UTF_8);
        for (int at = 0; at < bytes.length; at++) {
            for (byte other :
                    new byte[] {0, '"', '{', '}', ']', ',', '9', '\\', (byte) 0xff, (byte) 0xc3, (byte) 0xed}) {
                byte[] broken = bytes.clone();
                broken[at] = other;
                readOrRefused(reader, broken);
            }
        }
    }

    @Test
    void body_noise_isRefused() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[1 + random.nextInt(12)];
            random.nextBytes(noise);
            readOrRefused(reader, noise);
        }
    }

    @Test
    void body_followedByMore_isRefused() {
        assertThat(Refusal.of(reader, body + "{}").code()).isEqualTo(ErrorCode.INVALID_JSON);
        assertThat(Refusal.of(reader, body + "]").code()).isEqualTo(ErrorCode.INVALID_JSON);
        assertThat(reader.apply((body + " \n\t ").getBytes(UTF_8))).isNotNull();
    }

    @Test
    void body_inAnotherEncoding_isRefused() {
        for (Charset charset : new Charset[] {UTF_16LE, Charset.forName("UTF-16"), Charset.forName("UTF-32")}) {
            QueenException refusal = Refusal.of(reader, body.getBytes(charset));
            assertThat(refusal).as(charset.name()).isNotNull();
            assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_JSON);
        }
        if (body.contains("é")) {
            assertThat(Refusal.of(reader, body.getBytes(ISO_8859_1)).code().status())
                    .isEqualTo(400);
        }
    }

    @Test
    void body_nestedTooDeep_isRefused() {
        String deep = "{\"extra\":" + "[".repeat(100_000) + "]".repeat(100_000) + "," + body.substring(1);
        assertThat(Refusal.of(reader, deep).code()).isEqualTo(ErrorCode.INVALID_JSON);
    }

    @Test
    void body_empty_isRefused() {
        assertThat(Refusal.of(reader, "").code()).isEqualTo(ErrorCode.EMPTY_BODY);
        assertBlankIsRefused();
    }

    protected void assertBlankIsRefused() {
        assertThat(Refusal.of(reader, " \n").code().status()).isEqualTo(400);
    }

    private static void readOrRefused(Function<byte[], ?> reader, byte[] body) {
        try {
            assertThat(reader.apply(body)).isNotNull();
        } catch (QueenException refused) {
            assertThat(refused.code().status()).isEqualTo(400);
        }
    }
}
