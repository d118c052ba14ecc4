package io.queen.web;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Partitions;
import io.queen.testing.RawHttp;
import io.queen.testing.RawHttp.Answer;
import io.queen.testing.UnusualSettings;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bodies that come slowly, in part, or not at all, and what they do to others. */
@QuarkusTest
@TestProfile(UnusualSettings.class)
class SlowBodyTest {
    private static final int ROOM = UnusualSettings.BODY_ROOM;
    private static final int TIMEOUT_MILLIS = UnusualSettings.BODY_TIMEOUT_MILLIS;

    @TestHTTPResource("/")
    URI uri;

    private final String queue = Partitions.name("slow");

    @Test
    void body_announcedAndNotSent_blocksNobodyAndIs408() throws Exception {
        try (RawHttp stalled = open().announce(ROOM).send("0123456789");
                RawHttp chunk = open().announceChunks().send("5")) {
            push(item(queue, "p", "t1", "1")).statusCode(201);
            push(item(queue, "p", "t2", '"' + "x".repeat(1 << 20) + '"')).statusCode(201);
            cutOff(stalled);
            cutOff(chunk);
        }
    }

    @Test
    void body_oneByteAtATime_is408() throws Exception {
        try (RawHttp trickle = open().announce(1000)) {
            await().pollInterval(Duration.ofMillis(TIMEOUT_MILLIS / 20))
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> {
                        try {
                            trickle.send("x");
                            return false;
                        } catch (IOException closed) {
                            return true;
                        }
                    });
        }
    }

    @Test
    void body_slowButMoving_isTaken() throws Exception {
        byte[] part = new byte[64 << 10];
        int parts = 3 * TIMEOUT_MILLIS / 200;
        int[] sent = {0};
        try (RawHttp slow = open().announce((long) parts * part.length)) {
            await().pollInterval(Duration.ofMillis(200))
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> {
                        slow.send(part);
                        return ++sent[0] == parts;
                    });
            Answer answer = slow.answer();
            assertThat(answer.body()).contains("INVALID_JSON"); // so it was read to its end
        }
    }

    @Test
    void bodies_halfArrivedAndFillingTheRoom_leaveSmallOnesAlone() throws Exception {
        List<RawHttp> halves = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                halves.add(open().announce(6 << 20));
                sendWhatIsTaken(halves.get(i), 3 << 20);
            }
            push(item(queue, "p", "small", "1")).statusCode(201);
            int refused = 0;
            for (RawHttp half : halves) {
                Answer answer = half.answer();
                assertThat(answer.status()).isIn(408, 503);
                refused += answer.status() == 503 ? 1 : 0;
            }
            assertThat(refused).isPositive();
            push(item(queue, "p", "large", '"' + "x".repeat(7 << 20) + '"')).statusCode(201);
        } finally {
            for (RawHttp half : halves) {
                half.close();
            }
        }
    }

    @Test
    void chunks_ofOneByte_areTaken() throws Exception {
        String body = "{\"items\":[" + " ".repeat(20_000) + "]}";
        StringBuilder chunks = new StringBuilder();
        body.chars()
                .forEach(letter -> chunks.append("1\r\n").append((char) letter).append("\r\n"));
        try (RawHttp connection = open().announceChunks().send(chunks + "0\r\n\r\n")) {
            assertThat(connection.answer().status()).isEqualTo(201);
        }
    }

    @Test
    void chunks_beyondTheRoom_areRefused() throws Exception {
        try (RawHttp endless = open().announceChunks()) {
            byte[] chunk = new byte[1 << 20];
            for (int i = 0; i < 9; i++) {
                endless.chunk(chunk);
            }
            Answer answer = endless.answer();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.body()).contains("\"code\":\"BODY_TOO_LARGE\"", Integer.toString(ROOM));
            assertThat(answer.closes()).isTrue();
        }
    }

    private static void cutOff(RawHttp connection) throws IOException {
        Answer answer = connection.answer();
        assertThat(answer.status()).as(answer.body()).isEqualTo(408);
        assertThat(answer.body()).contains("\"code\":\"BODY_TIMEOUT\"");
        assertThat(connection.ends()).isTrue();
    }

    private static void sendWhatIsTaken(RawHttp connection, int bytes) {
        try {
            connection.send(new byte[bytes]);
        } catch (IOException refused) {
            // The answer tells.
        }
    }

    private RawHttp open() throws IOException {
        return new RawHttp(uri.getPort());
    }
}
