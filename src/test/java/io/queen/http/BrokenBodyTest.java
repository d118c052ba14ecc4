package io.queen.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a body is broken by, a reader answers with a refusal and nothing else. */
class BrokenBodyTest {
    private static final String PUSH = "{\"x\":[1,{\"y\":null}],\"items\":[{\"queue\":\"é😀\",\"partition\":\"p\","
            + "\"payload\":{\"a\":[1.5e3,true,\"\\u00e9\\ud800\"]},\"transactionId\":\"t\","
            + "\"traceId\":\"01890000-0000-7000-8000-000000000000\"},{\"queue\":\"q\"}]}";
    private static final String ACKS = "{\"consumerGroup\":\"g\",\"acknowledgments\":[{\"transactionId\":\"é\","
            + "\"partitionId\":\"01890000-0000-7000-8000-000000000000\",\"status\":\"failed\",\"leaseId\":null,"
            + "\"error\":\"e\"}]}";
    private static final String ACK = "{\"transactionId\":\"é\",\"extra\":[{}],"
            + "\"partitionId\":\"01890000-0000-7000-8000-000000000000\",\"consumerGroup\":\"g\"}";
    private static final String TRANSACTION = "{\"operations\":[{\"type\":\"push\",\"items\":[{\"queue\":\"é\","
            + "\"payload\":[{}]}]},{\"queue\":\"q\",\"data\":\"d\",\"type\":\"push\"},{\"type\":\"ack\","
            + "\"transactionId\":\"t\",\"partitionId\":\"01890000-0000-7000-8000-000000000000\"}],"
            + "\"requiredLeases\":[\"\",null,\"x\"]}";
    private static final String OPTIONS =
            "{\"leaseTime\":\"5\",\"deadLetterQueue\":true,\"other\":[{}],\"ttl\":null,\"priority\":-1}";

    static Stream<Arguments> readers() {
        return Stream.of(
                reader("push", PushReader::read, PUSH),
                reader("ack", AckReader::one, ACK),
                reader("acks", AckReader::batch, ACKS),
                reader("transaction", TransactionReader::read, TRANSACTION),
                reader("options", bytes -> JsonBody.read(bytes, OptionsReader::read), OPTIONS));
    }

    private static Arguments reader(String name, Function<byte[], ?> reader, String body) {
        return Arguments.of(Named.of(name, reader), Named.of("its body", body));
    }

    @ParameterizedTest
    @MethodSource("readers")
    void body_whole_isRead(Function<byte[], ?> reader, String body) {
        assertThat(reader.apply(body.getBytes(UTF_8))).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("readers")
    void body_truncatedAnywhere_isRefused(Function<byte[], ?> reader, String body) {
        byte[] bytes = body.getBytes(UTF_8);
        for (int length = 0; length < bytes.length; length++) {
            QueenException refusal = Refusal.of(reader, Arrays.copyOf(bytes, length));
            assertThat(refusal).as("first %d bytes", length).isNotNull();
            assertThat(refusal.code().status()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @MethodSource("readers")
    void body_oneByteReplacedAnywhere_isReadOrRefused(Function<byte[], ?> reader, String body) {
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

    @ParameterizedTest
    @MethodSource("readers")
    void body_noise_isRefused(Function<byte[], ?> reader, String body) {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[1 + random.nextInt(12)];
            random.nextBytes(noise);
            readOrRefused(reader, noise);
        }
    }

    @ParameterizedTest
    @MethodSource("readers")
    void body_followedByMore_isRefused(Function<byte[], ?> reader, String body) {
        assertThat(Refusal.of(reader, body + "{}").code()).isEqualTo(ErrorCode.INVALID_JSON);
        assertThat(Refusal.of(reader, body + "]").code()).isEqualTo(ErrorCode.INVALID_JSON);
        assertThat(reader.apply((body + " \n\t ").getBytes(UTF_8))).isNotNull();
    }

    @ParameterizedTest
    @MethodSource("readers")
    void body_inAnotherEncoding_isRefused(Function<byte[], ?> reader, String body) {
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

    @ParameterizedTest
    @MethodSource("readers")
    void body_nestedTooDeep_isRefused(Function<byte[], ?> reader, String body) {
        String deep = "{\"extra\":" + "[".repeat(100_000) + "]".repeat(100_000) + "," + body.substring(1);
        assertThat(Refusal.of(reader, deep).code()).isEqualTo(ErrorCode.INVALID_JSON);
    }

    @ParameterizedTest
    @MethodSource("readers")
    void body_empty_isRefused(Function<byte[], ?> reader, String body) {
        assertThat(Refusal.of(reader, "").code()).isEqualTo(ErrorCode.EMPTY_BODY);
        if (!body.equals(OPTIONS)) { // options stand inside of a body
            assertThat(Refusal.of(reader, " \n").code().status()).isEqualTo(400);
        }
    }

    private static void readOrRefused(Function<byte[], ?> reader, byte[] body) {
        try {
            assertThat(reader.apply(body)).isNotNull();
        } catch (QueenException refused) {
            assertThat(refused.code().status()).isEqualTo(400);
        }
    }
}
