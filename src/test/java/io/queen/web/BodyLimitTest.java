package io.queen.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Http;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The limit of a body, with and without its length told. Without a twin: only the tests' server takes bodies so far. */
@QuarkusTest
class BodyLimitTest {
    private static final int LIMIT = 64 * 1024 * 1024;

    @TestHTTPResource("/probe/bytes")
    URI uri;

    @Test
    void body_atTheLimit_isTaken() throws Exception {
        HttpResponse<String> answer = post(BodyPublishers.ofByteArray(new byte[LIMIT]));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"length\":" + LIMIT);
    }

    @Test
    void body_aboveTheLimit_isRefused() throws Exception {
        refused(post(BodyPublishers.ofByteArray(new byte[LIMIT + 1])));
    }

    @Test
    void body_chunkedAboveTheLimit_isRefused() throws Exception {
        refused(post(BodyPublishers.ofInputStream(() -> zeros(LIMIT + 1_000_000))));
    }

    @Test
    void body_chunked_isTaken() throws Exception {
        HttpResponse<String> answer = post(BodyPublishers.ofInputStream(() -> zeros(3_000_000)));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"length\":3000000");
    }

    private HttpResponse<String> post(BodyPublisher body) throws Exception {
        return new Http(Duration.ofSeconds(20)).post(uri, body);
    }

    private static void refused(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(answer.body()).contains("\"code\":\"BODY_TOO_LARGE\"", "\"error\":");
    }

    private static InputStream zeros(int length) {
        return new InputStream() {
            private int left = length;

            @Override
            public int read() {
                return left-- > 0 ? 0 : -1;
            }

            @Override
            public int read(byte[] buffer, int offset, int count) {
                int given = Math.min(left, count);
                left -= given;
                return given == 0 ? -1 : given;
            }
        };
    }
}
