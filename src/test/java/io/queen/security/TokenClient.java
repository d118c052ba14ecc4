package io.queen.security;

import static io.restassured.RestAssured.given;

import io.queen.testing.RawBodies;
import io.queen.testing.TestTokens;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jose4j.jwt.JwtClaims;

/** Sends requests with a token. */
record TokenClient(String token) {
    /** Of a token with the role and, unless it is null, the claim. */
    static TokenClient of(String role, Object queues) {
        JwtClaims claims = TestTokens.claims(role);
        if (queues != null) {
            claims.setClaim("queen_queues", queues);
        }
        return new TokenClient(TestTokens.signed(claims));
    }

    static TokenClient admin() {
        return of("admin", null);
    }

    /** With all rights on the queues that the pattern has. */
    static TokenClient restricted(String... patterns) {
        return of("admin", List.of(patterns));
    }

    static TokenClient with(Right right, String... patterns) {
        return of("admin", Map.of(right.text(), List.of(patterns)));
    }

    private RequestSpecification request() {
        return given().config(RawBodies.CONFIG).header("Authorization", "Bearer " + token);
    }

    Response get(String path, Object... values) {
        return request().get(path, values);
    }

    Response post(String path, String body) {
        return send("POST", path, body);
    }

    Response delete(String path, Object... values) {
        return request().delete(path, values);
    }

    /** The body is null for none. */
    Response send(String method, String path, String body) {
        if (method.equals("GET") || method.equals("DELETE")) {
            return request().request(method, path);
        }
        byte[] bytes = (body == null ? "" : body).getBytes(StandardCharsets.UTF_8);
        return request().contentType("application/json").body(bytes).request(method, path);
    }

    Response push(String... queues) {
        return post(
                "/api/v1/push",
                "{\"items\":["
                        + String.join(
                                ",",
                                List.of(queues).stream()
                                        .map(queue ->
                                                "{\"queue\":\"" + queue + "\",\"payload\":{\"of\":\"" + queue + "\"}}")
                                        .toList())
                        + "]}");
    }
}
