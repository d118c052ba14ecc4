package io.queen.security;

import io.queen.config.QueenConfig;
import io.queen.config.SettingsException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import java.util.Optional;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.lang.JoseException;

/** What {@code queen token} signs with: the secret, or a private key whose public key the servers have. */
record SigningKey(String algorithm, Key key) {
    private static final String PRIVATE = "JWT_PRIVATE_KEY";

    /** The private key in PEM, or the secret: the one that fits {@code JWT_ALGORITHM}; of {@code auto} a private key rather than the secret. */
    static SigningKey of(QueenConfig.Jwt config, Optional<String> privateKey) {
        boolean either = config.algorithm().equals("auto");
        if (config.algorithm().equals(KeyRing.HS256) || (either && privateKey.isEmpty())) {
            return new SigningKey(
                    KeyRing.HS256, config.secret().map(KeySettings::secret).orElseThrow(() -> missing(config)));
        }
        PrivateKey key = privateKey.map(SigningKey::read).orElseThrow(() -> missing(config));
        String algorithm = key instanceof EdECPrivateKey ? KeyRing.EDDSA : KeyRing.RS256;
        if (!either && !config.algorithm().equals(algorithm)) {
            throw new SettingsException(PRIVATE + " is a key for " + algorithm + ", and JWT_ALGORITHM is "
                    + config.algorithm() + ": servers would refuse the token.");
        }
        return new SigningKey(algorithm, key);
    }

    private static SettingsException missing(QueenConfig.Jwt config) {
        return new SettingsException("There is no key to sign with. JWT_ALGORITHM is " + config.algorithm() + ": set "
                + switch (config.algorithm()) {
                    case "auto" -> "JWT_SECRET or " + PRIVATE;
                    case "HS256" -> "JWT_SECRET";
                    default -> PRIVATE;
                }
                + " as it is where the servers run.");
    }

    private static PrivateKey read(String pem) {
        byte[] bytes = Pem.read(pem, "PRIVATE KEY", PRIVATE);
        for (String kind : List.of("RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(kind).generatePrivate(new PKCS8EncodedKeySpec(bytes));
            } catch (GeneralSecurityException e) {
                // the other kind, or none
            }
        }
        throw new SettingsException(PRIVATE + " is neither an RSA nor an Ed25519 key.");
    }

    /** The token. */
    String sign(JwtClaims claims) {
        JsonWebSignature signature = new JsonWebSignature();
        signature.setHeader("typ", "JWT");
        signature.setAlgorithmHeaderValue(algorithm);
        signature.setKey(key);
        signature.setPayloadBytes(claims.toJson().getBytes(StandardCharsets.UTF_8));
        try {
            return signature.getCompactSerialization();
        } catch (JoseException e) {
            throw new SettingsException("The key can't sign: " + e.getMessage());
        }
    }
}
