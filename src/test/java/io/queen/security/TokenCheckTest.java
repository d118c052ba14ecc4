package io.queen.security;

import static io.queen.testing.TestTokens.claims;
import static io.queen.testing.TestTokens.in;
import static io.queen.testing.TestTokens.signed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.security.TokenCheck.Checked;
import io.queen.testing.TestTokens;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenCheckTest {
    private static final String PEM = TestTokens.pem(TestTokens.RSA);

    private static TokenCheck check(String... more) {
        Map<String, String> settings = new HashMap<>(Map.of("secret", TestTokens.SECRET, "issuer", TestTokens.ISSUER));
        settings.put("audience", TestTokens.AUDIENCE);
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        KeySettings keys = new KeySettings(KeySettingsTest.config(settings));
        KeyRing ring = keys.ring();
        return new TokenCheck(KeySettingsTest.config(settings), keys.algorithms(), () -> ring);
    }

    @Test
    void token_good_givesItsCaller() throws Exception {
        JwtClaims claims = claims("read-write");
        claims.setClaim("id", 7);
        claims.setClaim("username", List.of("not", "text"));
        Checked checked = check().check(signed(claims));
        assertThat(checked.caller())
                .isEqualTo(new Caller(
                        "tester-read-write",
                        Level.READ_WRITE,
                        Rights.ALL,
                        checked.caller().expiresAt()));
        assertThat(checked.untilSecond()).isEqualTo(claims.getExpirationTime().getValue() + 30);
    }

    @Test
    void subject_missingOrEmpty_isNone() throws Exception {
        JwtClaims claims = claims("admin");
        claims.setSubject("");
        assertThat(check().check(signed(claims)).caller().subject()).isNull();
        claims.unsetClaim("sub");
        assertThat(check().check(signed(claims)).caller().subject()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\u0000b", "\\ud800", "x\\udc00y"})
    void subject_thatCannotBeStored_isRefused(String subject) {
        String payload = claims("admin").toJson().replace("tester-admin", subject);
        assertRefused(check(), signed(payload, KeyRing.HS256, TestTokens.secret(), null), "The subject of the token");
    }

    @ParameterizedTest
    @CsvSource({"-29, true", "-31, false", "600, true"})
    void end_isCheckedWithLeeway(long seconds, boolean good) throws Exception {
        JwtClaims claims = claims("admin");
        claims.setIssuedAt(in(-100));
        claims.setExpirationTime(in(seconds));
        assertGood(claims, good, "The token has expired");
    }

    @Test
    void end_missing_isAcceptedAndCheckedAgainSoon() throws Exception {
        JwtClaims claims = claims("admin");
        claims.unsetClaim("exp");
        assertThat(check().check(signed(claims)).untilSecond())
                .isBetween(NumericDate.now().getValue() + 290, NumericDate.now().getValue() + 301);
    }

    @ParameterizedTest
    @CsvSource({"28, true", "40, false", "-1000000000, true"})
    void notBefore_isCheckedWithLeeway(long seconds, boolean good) throws Exception {
        JwtClaims claims = claims("admin");
        claims.setNotBefore(in(seconds));
        assertGood(claims, good, "The token is not valid yet");
    }

    @ParameterizedTest
    @CsvSource({"28, true", "40, false", "-1000000000, true"})
    void issuedAt_isCheckedWithLeeway(long seconds, boolean good) throws Exception {
        JwtClaims claims = claims("admin");
        claims.setIssuedAt(in(seconds));
        assertGood(claims, good, "The token is not valid yet");
        claims.unsetClaim("iat");
        assertGood(claims, true, "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"soon\"", "[]", "{}", "true", "9e999", "-9e999", "99999999999999999999999999"})
    void end_thatIsNoTime_isNoFailure(String value) {
        String payload = claims("admin").toJson().replaceAll("\"exp\":\\d+", "\"exp\":" + value);
        try {
            check().check(signed(payload, KeyRing.HS256, TestTokens.secret(), null));
        } catch (QueenException | TokenCheck.UnknownKeyException e) {
            assertThat(e).isInstanceOf(QueenException.class);
        }
    }

    @Test
    void issuerAndAudience_areCheckedWhenConfigured() throws Exception {
        JwtClaims claims = claims("admin");
        claims.setIssuer("another");
        assertGood(claims, false, "The token is of another issuer");
        claims.unsetClaim("iss");
        assertGood(claims, false, "The token is of another issuer");
        claims = claims("admin");
        claims.setAudience("another");
        assertGood(claims, false, "The token is for another audience");
        claims.unsetClaim("aud");
        assertGood(claims, false, "The token is for another audience");
        claims.setAudience("another", TestTokens.AUDIENCE);
        assertGood(claims, true, "");
        TokenCheck free = check("issuer", "", "audience", "");
        claims.setAudience("another");
        claims.setIssuer("another");
        assertThat(free.check(signed(claims)).caller().level()).isEqualTo(Level.ADMIN);
    }

    @Test
    void roles_ofBothClaims_giveTheHighest() throws Exception {
        JwtClaims claims = claims("read-only");
        claims.setStringListClaim("roles", "other", "admin");
        assertThat(level(claims, check())).isEqualTo(Level.ADMIN);
        claims.setClaim("roles", List.of(1, Map.of(), "read-write"));
        assertThat(level(claims, check())).isEqualTo(Level.READ_WRITE);
        claims.setClaim("roles", "admin");
        assertThat(level(claims, check())).isEqualTo(Level.ADMIN);
        claims.setClaim("roles", Map.of("admin", true));
        assertThat(level(claims, check())).isEqualTo(Level.READ_ONLY);
        assertThat(level(claims("ADMIN"), check())).isEqualTo(Level.PUBLIC);
        assertThat(level(claims(null), check())).isEqualTo(Level.PUBLIC);
    }

    @Test
    void roles_ofKeycloak_areFoundInside() throws Exception {
        JwtClaims claims = claims(null);
        claims.setClaim("realm_access", Map.of("roles", List.of("queen-admin")));
        TokenCheck keycloak = check("roles-array-claim", "realm_access.roles", "role-admin", "queen-admin");
        assertThat(level(claims, keycloak)).isEqualTo(Level.ADMIN);
        claims.setClaim("realm_access.roles", List.of("read-only"));
        assertThat(level(claims, keycloak)).isEqualTo(Level.READ_ONLY);
        claims = claims(null);
        claims.setClaim("realm_access", "text");
        assertThat(level(claims, keycloak)).isEqualTo(Level.PUBLIC);
    }

    @Test
    void algorithm_ofTheOtherKind_isRefused() throws Exception {
        String payload = claims("admin").toJson();
        TokenCheck rsa = check("algorithm", "RS256", "public-key", PEM);
        TokenCheck auto = check("algorithm", "auto", "public-key", PEM);
        Key publicKey = TestTokens.secret(TestTokens.RSA.getPublic().getEncoded());
        Key pemKey = TestTokens.secret(PEM.getBytes(StandardCharsets.UTF_8));
        for (Key confused : List.of(publicKey, pemKey)) {
            assertRefused(rsa, signed(payload, "HS256", confused, null), "");
            assertRefused(auto, signed(payload, "HS256", confused, null), "The signature of the token is wrong");
        }
        for (TokenCheck check : List.of(rsa, auto, check())) {
            assertRefused(check, signed(payload, "none", null, null), "");
            assertRefused(check, signed(payload, "RS384", TestTokens.RSA.getPrivate(), null), "");
            assertRefused(check, signed(payload, "RS512", TestTokens.RSA.getPrivate(), null), "");
            assertRefused(check, signed(payload, "PS256", TestTokens.RSA.getPrivate(), null), "");
            assertRefused(check, signed(payload, "HS512", TestTokens.secret(), null), "");
            assertRefused(check, signed(payload, "EdDSA", TestTokens.ED25519.getPrivate(), null), "");
        }
        String good = signed(payload, "RS256", TestTokens.RSA.getPrivate(), "any");
        assertThat(rsa.check(good).caller().level()).isEqualTo(Level.ADMIN);
        assertThat(auto.check(good).caller().level()).isEqualTo(Level.ADMIN);
        assertThat(auto.check(TestTokens.of("admin")).caller().level()).isEqualTo(Level.ADMIN);
        assertRefused(check(), good, "");
        assertRefused(rsa, TestTokens.of("admin"), "");
    }

    @Test
    void edDsa_good_isAccepted() throws Exception {
        TokenCheck check = check("algorithm", "EdDSA", "public-key", TestTokens.pem(TestTokens.ED25519));
        String payload = claims("admin").toJson();
        assertThat(check.check(signed(payload, "EdDSA", TestTokens.ED25519.getPrivate(), null))
                        .caller()
                        .level())
                .isEqualTo(Level.ADMIN);
        assertRefused(
                check,
                signed(payload, "EdDSA", TestTokens.pair("Ed25519").getPrivate(), null),
                "The signature of the token is wrong");
    }

    private static Level level(JwtClaims claims, TokenCheck check) throws Exception {
        return check.check(signed(claims)).caller().level();
    }

    private static void assertGood(JwtClaims claims, boolean good, String reason) throws Exception {
        if (good) {
            assertThat(check().check(signed(claims)).caller().level()).isEqualTo(Level.ADMIN);
        } else {
            assertRefused(check(), signed(claims), reason);
        }
    }

    private static void assertRefused(TokenCheck check, String token, String reason) {
        assertThatThrownBy(() -> check.check(token))
                .isInstanceOfSatisfying(
                        QueenException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_TOKEN))
                .hasMessageStartingWith(reason);
    }
}
