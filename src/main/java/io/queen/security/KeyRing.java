package io.queen.security;

import java.security.Key;
import java.security.PublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.NamedParameterSpec;
import java.util.List;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jws.AlgorithmIdentifiers;

/**
 * The keys that signatures are checked with. Which one a token gets is decided by its algorithm first: a secret is for
 * HS256 alone, a public key never is.
 *
 * @param secret for HS256, null when there is none
 * @param configured the public key of the configuration, which checks all tokens; null when there is none
 * @param published those of the key server, in its order
 */
record KeyRing(Key secret, PublicKey configured, List<JsonWebKey> published) {
    static final String HS256 = AlgorithmIdentifiers.HMAC_SHA256;
    static final String RS256 = AlgorithmIdentifiers.RSA_USING_SHA256;
    static final String EDDSA = AlgorithmIdentifiers.EDDSA;

    private static final String RSA = "RSA";
    private static final String OKP = "OKP";

    KeyRing withPublished(List<JsonWebKey> keys) {
        return new KeyRing(
                secret, configured, keys.stream().filter(KeyRing::isUsable).toList());
    }

    private static boolean isUsable(JsonWebKey key) {
        boolean ed25519 = key.getKey() instanceof EdECPublicKey ed
                && ed.getParams().getName().equals(NamedParameterSpec.ED25519.getName());
        return (ed25519 || key.getKey() instanceof RSAPublicKey) && !"enc".equals(key.getUse());
    }

    /** The key for a token; null when it is not here. A token without a key id gets the first of its kind. */
    Key find(String algorithm, String keyId) {
        if (algorithm.equals(HS256)) {
            return secret;
        }
        if (configured != null) {
            return configured;
        }
        String type = algorithm.equals(RS256) ? RSA : OKP;
        for (JsonWebKey key : published) {
            if (key.getKeyType().equals(type) && (keyId == null || keyId.equals(key.getKeyId()))) {
                return key.getKey();
            }
        }
        return null;
    }

    boolean has(Key key) {
        return key.equals(secret)
                || key.equals(configured)
                || published.stream().anyMatch(known -> known.getKey().equals(key));
    }
}
