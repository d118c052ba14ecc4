package io.queen.security;

import static io.queen.testing.TestTokens.claims;
import static io.queen.testing.TestTokens.in;
import static io.queen.testing.TestTokens.signed;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Http;
import io.queen.testing.TestTokens;
import io.queen.testing.WithTokens;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.api.Test;

/** Every route of the OpenAPI document, with every kind of token, good and bad. */
@QuarkusTest
@TestProfile(WithTokens.class)
class AccessMatrixTest {
    private static final String SAMPLE_ID = "01234567-89ab-7def-8123-456789abcdef";
    private static final Map<String, String> BAD = bad();
    private static final Map<String, Level> GOOD = Map.of(
            "none-of-ours", Level.PUBLIC,
            "read-only", Level.READ_ONLY,
            "read-write", Level.READ_WRITE,
            "admin", Level.ADMIN);
    private static final Map<Level, String> NEEDED = Map.of(
            Level.READ_ONLY, "This needs the role read-only, read-write or admin",
            Level.READ_WRITE, "This needs the role read-write or admin",
            Level.ADMIN, "This needs the role admin");

    private final Http http = new Http(Duration.ofSeconds(30));
    private final AccessTable table = new AccessTable();

    @TestHTTPResource("/")
    URI server;

    /** Tokens of an admin but for one thing, with what the caller is told of it. */
    private static Map<String, String> bad() {
        Map<String, String> tokens = new LinkedHashMap<>();
        JwtClaims expired = claims("admin");
        expired.setIssuedAt(in(-3600));
        expired.setExpirationTime(in(-60));
        tokens.put(signed(expired), "The token has expired");
        JwtClaims early = claims("admin");
        early.setNotBefore(in(120));
        tokens.put(signed(early), "The token is not valid yet");
        JwtClaims audience = claims("admin");
        audience.setAudience("another");
        tokens.put(signed(audience), "The token is for another audience");
        JwtClaims issuer = claims("admin");
        issuer.setIssuer("another");
        tokens.put(signed(issuer), "The token is of another issuer");
        String payload = claims("admin").toJson();
        String wrong = "The signature of the token is wrong";
        tokens.put(signed(payload, "HS256", TestTokens.secret(new byte[32]), null), wrong);
        tokens.put(signed(payload, "RS256", TestTokens.pair("RSA").getPrivate(), null), wrong);
        tokens.put(
                signed(
                        payload,
                        "HS256",
                        TestTokens.secret(TestTokens.RSA.getPublic().getEncoded()),
                        null),
                wrong);
        tokens.put(signed(payload, "none", null, null), "The token can't be read");
        tokens.put(signed(payload, "RS512", TestTokens.RSA.getPrivate(), null), "The token can't be read");
        return tokens;
    }

    /** A method of a path. */
    private record Operation(String method, String template) {
        String name() {
            return method + " " + template;
        }

        String path() {
            return template.replaceAll("\\{(partitionId|leaseId)}", SAMPLE_ID).replaceAll("\\{\\w+}", "matrix");
        }
    }

    @Test
    void routes_ofTheDocument_areInTheTable() throws Exception {
        assertThat(operations())
                .hasSizeGreaterThan(60)
                .allMatch(operation -> table.levels().containsKey(operation.name()));
    }

    @Test
    void routes_withoutAToken_are401UnlessPublic() throws Exception {
        SoftAssertions softly = new SoftAssertions();
        for (Operation operation : operations()) {
            HttpResponse<String> answer = ask(operation, null);
            if (!passes(softly, operation, answer, table.ofRoute(operation.name()) == Level.PUBLIC, 401)) {
                softly.assertThat(answer.headers().firstValue("WWW-Authenticate"))
                        .hasValue("Bearer realm=\"queen\"");
                softly.assertThat(answer.body()).contains("\"code\":\"TOKEN_REQUIRED\"");
            }
        }
        softly.assertAll();
    }

    @Test
    void routes_withABadToken_are401UnlessPublic() throws Exception {
        SoftAssertions softly = new SoftAssertions();
        for (Operation operation : operations()) {
            for (Map.Entry<String, String> bad : BAD.entrySet()) {
                HttpResponse<String> answer = ask(operation, bad.getKey());
                if (!passes(softly, operation, answer, table.ofRoute(operation.name()) == Level.PUBLIC, 401)) {
                    softly.assertThat(answer.headers()
                                    .firstValue("WWW-Authenticate")
                                    .orElse(""))
                            .startsWith("Bearer realm=\"queen\", error=\"invalid_token\", error_description=\""
                                    + bad.getValue());
                    softly.assertThat(answer.body()).contains("\"code\":\"INVALID_TOKEN\"", bad.getValue());
                }
            }
        }
        softly.assertAll();
    }

    @Test
    void routes_withARole_needOneThatCoversTheirLevel() throws Exception {
        SoftAssertions softly = new SoftAssertions();
        for (Operation operation : operations()) {
            Level needed = table.ofRoute(operation.name());
            for (Map.Entry<String, Level> role : GOOD.entrySet()) {
                HttpResponse<String> answer = ask(operation, TestTokens.of(role.getKey()));
                boolean covers = role.getValue().covers(needed);
                if (!passes(softly, operation, answer, covers, 403)) {
                    softly.assertThat(answer.headers().firstValue("WWW-Authenticate"))
                            .hasValue("Bearer realm=\"queen\", error=\"insufficient_scope\"");
                    softly.assertThat(answer.body()).contains("\"code\":\"FORBIDDEN\"", NEEDED.get(needed));
                }
            }
        }
        softly.assertAll();
    }

    /** Whether it should; otherwise it has this status. */
    private static boolean passes(
            SoftAssertions softly, Operation operation, HttpResponse<String> answer, boolean should, int otherwise) {
        if (should) {
            softly.assertThat(answer.statusCode()).as(operation + answer.body()).isNotIn(401, 403, 500, 503);
        } else {
            softly.assertThat(answer.statusCode()).as(operation + answer.body()).isEqualTo(otherwise);
        }
        return should;
    }

    private List<Operation> operations() throws IOException, InterruptedException {
        String document = http.get(server.resolve("/q/openapi?format=JSON")).body();
        JsonObject paths = new JsonObject(document).getJsonObject("paths");
        List<Operation> operations = new ArrayList<>();
        for (String path : paths.fieldNames()) {
            for (String method : paths.getJsonObject(path).fieldNames()) {
                operations.add(new Operation(method.toUpperCase(Locale.ROOT), path));
            }
        }
        return operations;
    }

    /** Without a body: the answer of a resource does not matter, only whether it was reached. */
    private HttpResponse<String> ask(Operation operation, String token) throws IOException, InterruptedException {
        return http.send(operation.method(), server.resolve(operation.path()), token, null);
    }
}
