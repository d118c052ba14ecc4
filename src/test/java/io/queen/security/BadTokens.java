package io.queen.security;

import io.queen.testing.TestTokens;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.jose4j.jwt.JwtClaims;

/** Tokens of which none is good: spoilt ones, ones that try what libraries fell for, and noise. */
final class BadTokens {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final List<String> HEADERS = List.of(
            "{\"alg\":\"none\"}",
            "{\"alg\":\"None\"}",
            "{\"alg\":\"\"}",
            "{\"alg\":null}",
            "{\"alg\":[\"HS256\"]}",
            "{\"alg\":{\"HS256\":1}}",
            "{}",
            "[]",
            "1",
            "\"HS256\"",
            "",
            "{\"alg\":\"HS256\",\"alg\":\"none\"}",
            "{\"alg\":\"HS384\"}",
            "{\"alg\":\"ES256\"}",
            "{\"alg\":\"EdDSA\"}",
            "{\"alg\":\"RS256\",\"kid\":\"../../etc/passwd\"}",
            "{\"alg\":\"RS256\",\"kid\":{\"a\":[]}}",
            "{\"alg\":\"HS256\",\"kid\":7}",
            "{\"alg\":\"HS256\",\"crit\":[\"b64\"],\"b64\":false}",
            "{\"alg\":\"HS256\",\"crit\":[\"x\"]}",
            "{\"alg\":\"HS256\",\"crit\":7}",
            "{\"alg\":\"HS256\",\"zip\":\"DEF\"}",
            "{\"alg\":\"HS256\",\"cty\":\"JWT\"}",
            "{\"alg\":\"RS256\",\"jku\":\"http://127.0.0.1:1/keys\"}",
            "{\"alg\":\"RS256\",\"x5u\":\"http://127.0.0.1:1/cert\",\"x5c\":[\"AAAA\"]}",
            "{\"alg\":\"RS256\",\"jwk\":{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}}",
            "{\"alg\":\"dir\",\"enc\":\"A256GCM\"}",
            "{\"alg\":\"PBES2-HS256+A128KW\",\"enc\":\"A128CBC-HS256\",\"p2c\":2147483647,\"p2s\":\"AAAA\"}");
    private static final List<String> CLAIMS = List.of(
            "{\"exp\":\"never\"}",
            "{\"exp\":1}",
            "{\"exp\":-1}",
            "{\"exp\":1e999}",
            "{\"exp\":[]}",
            "{\"nbf\":99999999999}",
            "{\"nbf\":{}}",
            "{\"iat\":99999999999}",
            "{\"iat\":true}",
            "{\"sub\":7}",
            "{\"sub\":\"\\u0000\"}",
            "{\"sub\":\"\\ud800\"}",
            "{\"aud\":7}",
            "{\"aud\":[7]}",
            "{\"aud\":[]}",
            "{\"iss\":[\"https://issuer.test\"]}",
            "{\"role\":[[\"admin\"]]}",
            "{\"role\":{\"admin\":1}}",
            "{\"roles\":[\"ADMIN\",null,1]}",
            "[]",
            "7",
            "null",
            "",
            "not json",
            "{\"a\":");

    private final Random random;
    private final String good = TestTokens.of("admin");
    private final String goodRsa =
            TestTokens.signed(TestTokens.claims("admin").toJson(), "RS256", TestTokens.RSA.getPrivate(), null);

    BadTokens(Random random) {
        this.random = random;
    }

    String next() {
        String token = switch (random.nextInt(9)) {
            case 0 -> spoilt(good);
            case 1 -> spoilt(goodRsa);
            case 2 -> cut();
            case 3 -> header();
            case 4 -> signedClaims();
            case 5 -> letters(1 + random.nextInt(3000));
            case 6 ->
                letters(1 + random.nextInt(50)) + "." + letters(random.nextInt(50)) + "." + letters(random.nextInt(50));
            case 7 -> nested();
            default -> bytes();
        };
        return token.equals(good) || token.equals(goodRsa) ? "." : token;
    }

    /** One letter of it is another one; the last may not count, because it has bits that mean nothing. */
    private String spoilt(String token) {
        int at = random.nextInt(token.length() - 1);
        char other = LETTERS.charAt(random.nextInt(LETTERS.length()));
        return token.charAt(at) == other ? "." + token : token.substring(0, at) + other + token.substring(at + 1);
    }

    private String cut() {
        String[] parts = good.split("\\.", -1);
        return switch (random.nextInt(6)) {
            case 0 -> parts[0] + "." + parts[1] + ".";
            case 1 -> parts[0] + "." + parts[1];
            case 2 -> parts[0] + ".." + parts[2];
            case 3 -> good + "." + parts[2] + "." + parts[2];
            case 4 -> good.substring(0, random.nextInt(good.length() - 2));
            default -> parts[0] + "." + parts[1] + "." + goodRsa.substring(goodRsa.lastIndexOf('.') + 1);
        };
    }

    private String header() {
        String[] parts = good.split("\\.", -1);
        String header = BASE64.encodeToString(
                HEADERS.get(random.nextInt(HEADERS.size())).getBytes(StandardCharsets.UTF_8));
        return switch (random.nextInt(4)) {
            case 0 -> header + "." + parts[1] + ".";
            case 1 -> header + "." + parts[1] + "." + letters(342);
            case 2 -> header + "." + letters(40) + "." + letters(16) + "." + letters(40) + "." + letters(22);
            default -> header + "." + parts[1] + "." + parts[2];
        };
    }

    /** Signed as it should be, and wrong inside. */
    private String signedClaims() {
        String claims = CLAIMS.get(random.nextInt(CLAIMS.size()));
        if (claims.startsWith("{\"") && claims.endsWith("}")) {
            JwtClaims rest = TestTokens.claims(null);
            String name = claims.substring(2, claims.indexOf('"', 2));
            rest.unsetClaim(name);
            claims = claims.substring(0, claims.length() - 1) + ","
                    + rest.toJson().substring(1);
        }
        return TestTokens.signed(claims, "HS256", TestTokens.secret(), null);
    }

    private String nested() {
        String deep = "[".repeat(1 + random.nextInt(5000));
        String text = random.nextBoolean() ? "{\"alg\":\"HS256\",\"x\":" + deep : deep;
        return BASE64.encodeToString(text.getBytes(StandardCharsets.UTF_8)) + ".e30.AAAA";
    }

    private String letters(int count) {
        StringBuilder text = new StringBuilder(count);
        for (int i = 0; i < count; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    /** Bytes that a header may have. */
    private String bytes() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(300); i >= 0; i--) {
            char letter = (char) (33 + random.nextInt(223));
            text.append(letter == 127 ? '.' : letter);
        }
        return text.toString();
    }
}
