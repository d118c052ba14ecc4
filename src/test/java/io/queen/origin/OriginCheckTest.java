package io.queen.origin;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.RawHttp;
import io.queen.testing.Sql;
import io.restassured.RestAssured;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a browser sends for a page of others, to a server that listens on loopback and asks for no tokens. */
@QuarkusTest
class OriginCheckTest {
    private final String queue = Partitions.name("origin");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "http://localhost:3000",
                "http://127.0.0.1:1",
                "http://localhost",
                "null",
                "",
                "://",
                "http://localhost:6632.evil.example"
            })
    void push_plainTextFromAForeignPage_isRefusedAndNothingIsStored(String origin) {
        given().header("Origin", origin)
                .contentType("text/plain")
                .body("{\"items\":[{\"queue\":\"" + queue + "\",\"payload\":1}]}")
                .post("/api/v1/push")
                .then()
                .statusCode(403)
                .contentType("application/json")
                .header("Access-Control-Allow-Origin", nullValue())
                .body("code", equalTo("FOREIGN_ORIGIN"))
                .body("error", containsString("QUEEN_CORS_ORIGINS"));
        try (Sql sql = Sql.open()) {
            assertThat(sql.number("select count(*) from queen.queues where name = ?", queue))
                    .isZero();
        }
    }

    @Test
    void delete_fromAForeignPage_isRefusedAndTheQueueStays() {
        push(given());
        given().header("Origin", "https://evil.example")
                .delete("/api/v1/resources/queues/" + queue)
                .then()
                .statusCode(403);
        given().get("/api/v1/resources/queues/" + queue).then().statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
    void anyMethodAndPath_foreignOrigin_isRefused(String method) {
        for (String path :
                new String[] {"/", "/health", "/nope", "/metrics/prometheus", "/api/v1/pop/queue/" + queue}) {
            given().header("Origin", "https://evil.example")
                    .header("Access-Control-Request-Method", "POST")
                    .request(method, path)
                    .then()
                    .statusCode(403)
                    .header("Access-Control-Allow-Origin", nullValue());
        }
    }

    @Test
    void push_ownPage_isTaken() {
        push(given().header("Origin", "http://localhost:" + RestAssured.port)
                .header("Sec-Fetch-Site", "same-origin")
                .header("Host", "localhost:" + RestAssured.port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:1", "127.0.0.1:6632", "127.9.8.7", "[::1]:6632", "[::1]"})
    void host_nameOfThisMachine_isServed(String host) {
        given().header("Host", host).get("/health").then().statusCode(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:6632",
                "127.0.0.1.evil.example",
                "localhost.evil.example",
                "0.0.0.0",
                "192.168.1.5:6632",
                "[::2]:6632"
            })
    void host_otherName_isRefusedWhateverTheOrigin(String host) {
        given().header("Host", host)
                .header("Origin", "http://" + host)
                .get("/api/v1/pop/queue/" + queue)
                .then()
                .statusCode(403)
                .body("code", equalTo("FOREIGN_ORIGIN"))
                .body("error", containsString("HOST"));
    }

    @Test
    void host_none_isServedInHttp10() throws IOException {
        try (RawHttp connection = new RawHttp(RestAssured.port)) {
            assertThat(connection.send("GET /health HTTP/1.0\r\n\r\n").answer().status())
                    .isEqualTo(200);
        }
    }

    /** An image of a foreign page, whose address is a pop. */
    @ParameterizedTest
    @CsvSource({"cross-site,no-cors,image", "same-site,no-cors,image", "cross-site,navigate,document"})
    void pop_byWhatAForeignPageShows_isRefusedAndTakesNothing(String site, String mode, String destination) {
        push(given());
        for (String path : new String[] {"/api/", "//api/", "/%61pi/", "/api;x=1/", "/api%2F", "/q/../api/"}) {
            given().header("Sec-Fetch-Site", site)
                    .header("Sec-Fetch-Mode", mode)
                    .header("Sec-Fetch-Dest", destination)
                    .urlEncodingEnabled(false)
                    .get(path + "v1/pop/queue/" + queue + "?autoAck=true")
                    .then()
                    .statusCode(403);
        }
        given().get("/api/v1/pop/queue/" + queue).then().statusCode(200).body("messages.size()", equalTo(1));
    }

    @ParameterizedTest
    @CsvSource({
        "cross-site,document,/,200",
        "cross-site,document,/q/swagger-ui/,200",
        "cross-site,document,/q/swagger-ui/index.html,200",
        "cross-site,iframe,/q/swagger-ui/,403",
        "cross-site,document,/apiary,404",
        "none,document,/api/v1,200",
        "same-origin,document,/api/v1,200",
        "cross-site,document,/api,403",
        "cross-site,document,/internal/x,403",
    })
    void link_toAPage_mayBeFollowed(String site, String destination, String path, int status) {
        given().header("Sec-Fetch-Site", site)
                .header("Sec-Fetch-Mode", "navigate")
                .header("Sec-Fetch-Dest", destination)
                .get(path)
                .then()
                .statusCode(status);
    }

    /** It is refused by its head: the body, which may never come, is not waited for. */
    @Test
    void push_foreignOrigin_isAnsweredBeforeItsBodyComes() throws IOException {
        try (RawHttp connection = new RawHttp(RestAssured.port)) {
            connection.send(
                    "POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\nContent-Length: 9999\r\n\r\n");
            RawHttp.Answer answer = connection.answer();
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.closes()).isTrue();
        }
    }

    private void push(RequestSpecification request) {
        request.body("{\"items\":[{\"queue\":\"" + queue + "\",\"payload\":1}]}")
                .post("/api/v1/push")
                .then()
                .statusCode(201);
    }
}
