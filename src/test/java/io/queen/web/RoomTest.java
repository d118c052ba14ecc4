package io.queen.web;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.push;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.RawHttp;
import io.queen.testing.Sql;
import jakarta.inject.Inject;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** Whatever becomes of a request, the room of its body is given back; and not before its work is done. */
@QuarkusTest
class RoomTest {
    private static final String LARGE = '"' + "x".repeat(1 << 20) + '"';

    @Inject
    BodyMemory memory;

    @TestHTTPResource("/")
    URI uri;

    private final String queue = Partitions.name("room");

    @Test
    void room_afterAnyOutcome_isGivenBack() throws Exception {
        push(item(queue, "p", "t1", LARGE)).statusCode(201);
        given().body(LARGE).post("/api/v1/push").then().statusCode(400);
        given().body(LARGE).post("/nope").then().statusCode(404);
        given().body(LARGE).put("/health").then().statusCode(405);
        given().body(LARGE).options("/health").then().statusCode(204);
        given().body(LARGE).post("/q/nope").then().statusCode(404);
        given().body("{\"enabled\":1}")
                .post("/api/v1/system/maintenance")
                .then()
                .statusCode(400);
        RawHttp gone = new RawHttp(uri.getPort()).announce(1 << 20).send(new byte[1 << 19]);
        await().until(() -> memory.held() >= 1 << 19);
        gone.close();
        await().untilAsserted(() -> assertThat(memory.held()).isZero());
    }

    @Test
    void room_ofAClientThatHasGone_isHeldUntilTheWorkIsDone() throws Exception {
        push(item(queue, "p", "first", "1")).statusCode(201);
        String body = "{\"items\":[{\"queue\":\"" + queue + "\",\"partition\":\"p\",\"payload\":" + LARGE + "}]}";
        try (Sql sql = Sql.open();
                Sql holder = Sql.open()) {
            holder.begin()
                    .run("select from queen.partitions where id = ? for update", new Partitions(sql).id(queue, "p"));
            RawHttp gone = new RawHttp(uri.getPort()).announce(body.length()).send(body);
            sql.awaitSessionThatWaitsForALock();
            gone.close();
            given().get("/health").then().statusCode(200);
            assertThat(memory.held()).isGreaterThan(1 << 20);
            holder.commit();
        }
        await().untilAsserted(() -> assertThat(memory.held()).isZero());
    }
}
