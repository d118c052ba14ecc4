package io.queen.testing;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.spec.SecretKeySpec;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.lang.JoseException;

/** Makes tokens, good ones and bad ones. */
public final class TestTokens {
    public static final String SECRET = "a secret of tests, long enough for HS256: 0123456789";
    public static final String ISSUER = "https://issuer.test";
    public static final String AUDIENCE = "queen-tests";
    public static final KeyPair RSA = pair("RSA", 2048);
    public static final KeyPair ED25519 = pair("Ed25519", 255);

    private TestTokens() {}

    /** A pair of keys that no server knows. */
    public static KeyPair pair(String algorithm) {
        try {
            return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyPair pair(String algorithm, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits, same());
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Always the same numbers: a profile and the tests that have it are loaded by different class loaders. */
    private static SecureRandom same() {
        try {
            SecureRandom random = SecureRandom.getInstance("SHA1PRNG");
            random.setSeed(1);
            return random;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The public key in PEM. */
    public static String pem(KeyPair pair) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(pair.getPublic().getEncoded());
        return "-----BEGIN PUBLIC KEY-----\n" + body + "\n-----END PUBLIC KEY-----";
    }

    public static Key secret(byte[] bytes) {
        return new SecretKeySpec(bytes, "HmacSHA256");
    }

    public static Key secret() {
        return secret(SECRET.getBytes(StandardCharsets.UTF_8));
    }

    /** Claims that are in order; the role is null for none. */
    public static JwtClaims claims(String role) {
        JwtClaims claims = new JwtClaims();
        claims.setSubject("tester-" + role);
        claims.setIssuer(ISSUER);
        claims.setAudience(AUDIENCE);
        claims.setIssuedAtToNow();
        claims.setExpirationTimeMinutesInTheFuture(10);
        if (role != null) {
            claims.setStringClaim("role", role);
        }
        return claims;
    }

    /** Seconds from now. */
    public static NumericDate in(long seconds) {
        NumericDate date = NumericDate.now();
        date.addSeconds(seconds);
        return date;
    }

    /** Good, by HS256. */
    public static String of(String role) {
        return signed(claims(role));
    }

    public static String signed(JwtClaims claims) {
        return signed(claims.toJson(), AlgorithmIdentifiers.HMAC_SHA256, secret(), null);
    }

    /** With any algorithm and key, and a key id unless that is null. */
    public static String signed(String payload, String algorithm, Key key, String keyId) {
        try {
            JsonWebSignature signature = new JsonWebSignature();
            signature.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
            signature.setDoKeyValidation(false);
            signature.setPayload(payload);
            signature.setAlgorithmHeaderValue(algorithm);
            signature.setKey(key);
            if (keyId != null) {
                signature.setKeyIdHeaderValue(keyId);
            }
            return signature.getCompactSerialization();
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }
}
