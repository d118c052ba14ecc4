package io.queen.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.RawHttp;
import io.queen.testing.RawHttp.Answer;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients send that is hardly HTTP: answered with the error body, and the connection goes on or is closed. */
@QuarkusTest
class ConnectionTest {
    private static final String ALIVE = "GET /q/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String PUSH = "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\n";
    private static final String CHUNKED = PUSH + "Transfer-Encoding: chunked\r\n\r\n";
    private static final int UNREAD = 70_000;

    @TestHTTPResource("/")
    URI uri;

    @ParameterizedTest
    @CsvSource({
        "POST, /nope, 404",
        "POST, /health, 405",
        "POST, /api/v1/pop, 405",
        "OPTIONS, /health, 204",
        "GET, /q/health/live, 200",
        "POST, /api/v1/push, 400",
        "PUT, /metrics/prometheus, 200",
        "DELETE, /q/nope, 404"
    })
    void body_nobodyReads_leavesTheConnectionUsable(String method, String path, int status) throws Exception {
        try (RawHttp connection = open()) {
            connection.send(
                    method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + UNREAD + "\r\n\r\n");
            Answer answer = connection.send(new byte[UNREAD]).answer();
            assertThat(answer.status()).as(answer.body()).isEqualTo(status);
            assertThat(connection.send(ALIVE).answer().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /health HTTP/1.1\r\n\r\n",
                "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET /api/v1/pop/queue/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /api/v1/pop/queue/q?batch=%4 HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /a{b} HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "nonsense\r\n\r\n",
                "GET /health HTTP/1.1\nHost: localhost\n\n",
                "GET /health HTTP/1.1\r\nHost: localhost\nA: b\r\n\r\n",
                PUSH + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                PUSH + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
                CHUNKED + "c;a=\"\n\"\r\n{\"items\":[]}\r\n0\r\n\r\n",
                CHUNKED + "-5\r\nhello\r\n0\r\n\r\n",
                CHUNKED + "5\r\nhellozz\r\nhello\r\n0\r\n\r\n"
            })
    void request_notHttp_is400AndCloses(String request) throws Exception {
        try (RawHttp connection = open()) {
            Answer answer = connection.send(request).answer();
            assertThat(answer.status()).as(answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains("\"code\":\"BAD_REQUEST\"").doesNotContain("Exception", "netty");
            assertThat(answer.closes()).isTrue();
            assertThat(connection.ends()).isTrue();
        }
    }

    @Test
    void requestBehindOthers_notHttp_isAnsweredInItsTurn() throws Exception {
        try (RawHttp connection = open()) {
            connection.send(ALIVE + ALIVE + "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n" + ALIVE);
            assertThat(connection.answer().status()).isEqualTo(200);
            assertThat(connection.answer().status()).isEqualTo(200);
            assertThat(connection.answer().status()).isEqualTo(400);
            assertThat(connection.ends()).isTrue();
        }
    }

    @Test
    void line_16Kilobytes_isTaken() throws Exception {
        try (RawHttp connection = open()) {
            String line = "GET /q/health/live?x=" + "a".repeat(16_300) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            assertThat(connection.send(line).answer().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"17000, 0, 414, URI_TOO_LONG", "300000, 0, 414, URI_TOO_LONG", "1, 300000, 431, HEADERS_TOO_LARGE"})
    void head_tooLong_isAnsweredWithABody(int line, int header, int status, String code) throws Exception {
        try (RawHttp connection = open()) {
            connection.send("GET /health?" + "a".repeat(line) + " HTTP/1.1\r\nHost: localhost\r\nX: "
                    + "b".repeat(header) + "\r\n\r\n");
            Answer answer = connection.answer();
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.body()).contains("\"code\":\"" + code + "\"");
            assertThat(answer.closes()).isTrue();
        }
    }

    @Test
    void expectContinue_bodyWanted_isToldOnce() throws Exception {
        try (RawHttp connection = open()) {
            connection.send(PUSH + "Expect: 100-continue\r\nContent-Length: 12\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(100);
            assertThat(connection.send("{\"items\":[]}").answer().status()).isEqualTo(201);
            assertThat(connection.send(ALIVE).answer().status()).isEqualTo(200);
        }
    }

    @Test
    void expectContinue_bodyTooLarge_isRefusedAtOnce() throws Exception {
        try (RawHttp connection = open()) {
            connection.send(PUSH + "Expect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n");
            assertThat(connection.answer().status()).isEqualTo(413);
            assertThat(connection.ends()).isTrue();
        }
    }

    @Test
    void http2WithoutTls_notAskedFor_isRefused() throws Exception {
        try (RawHttp connection = open()) {
            Answer answer = connection.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").answer();
            assertThat(answer.status()).isGreaterThanOrEqualTo(400);
        }
    }

    @Test
    void json_nestedTooDeep_isToldWithoutNamesOfClasses() throws Exception {
        String body = "{\"items\":[{\"queue\":\"q\",\"payload\":" + "[".repeat(5000) + "]".repeat(5000) + "}]}";
        try (RawHttp connection = open()) {
            Answer answer = connection.announce(body.length()).send(body).answer();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body())
                    .contains("INVALID_JSON", "nested deeper than 1000 levels")
                    .doesNotContain("StreamReadConstraints");
        }
    }

    private RawHttp open() throws Exception {
        return new RawHttp(uri.getPort());
    }
}
