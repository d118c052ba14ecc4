package io.queen.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.TestTokens;
import io.restassured.RestAssured;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(WithQueueRights.class)
class MeResourceTest {
    @Test
    void me_ofAllQueues_hasNoList() throws Exception {
        JwtClaims claims = TestTokens.claims("read-only");
        new TokenClient(TestTokens.signed(claims))
                .get("/api/v1/me")
                .then()
                .statusCode(200)
                .body("tokens", equalTo(true))
                .body("subject", equalTo(claims.getSubject()))
                .body("level", equalTo("read-only"))
                .body("queues", nullValue())
                .body("expiresAt", equalTo(text(claims.getExpirationTime().getValue())));
    }

    @Test
    void me_ofSomeQueues_listsThemByRight() {
        TokenClient.of("read-write", Map.of("produce", List.of("b", "a.*"), "consume", "c"))
                .get("/api/v1/me")
                .then()
                .statusCode(200)
                .body("level", equalTo("read-write"))
                .body("queues.produce", contains("a.*", "b"))
                .body("queues.consume", contains("c"))
                .body("queues.manage", empty());
        TokenClient.restricted("x").get("/api/v1/me").then().body("queues.manage", contains("x"));
    }

    @Test
    void me_withoutAToken_is401() {
        assertThat(RestAssured.get("/api/v1/me").statusCode()).isEqualTo(401);
    }

    @Test
    void me_tokenWithoutAnEnd_saysNone() {
        JwtClaims claims = TestTokens.claims("admin");
        claims.unsetClaim("exp");
        new TokenClient(TestTokens.signed(claims))
                .get("/api/v1/me")
                .then()
                .statusCode(200)
                .body("level", equalTo("admin"))
                .body("expiresAt", nullValue());
    }

    @Test
    void welcome_always_tellsWhereToLogIn() {
        RestAssured.get("/api/v1")
                .then()
                .statusCode(200)
                .body("login.tokens", equalTo(true))
                .body("login.oidc.issuer", equalTo("https://login.example.org/realms/shop"))
                .body("login.oidc.clientId", equalTo("queen-dashboard"))
                .body("login.oidc.scope", equalTo("openid"));
    }

    private static String text(long second) {
        return Instant.ofEpochSecond(second).toString().replace("Z", ".000Z");
    }
}
