package io.queen.security;

import io.queen.config.QueenConfig;
import io.queen.config.SettingsException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;

/** The keys that the configuration names, and which algorithms they serve; what is wrong with them ends the start. */
final class KeySettings {
    private static final String AUTO = "auto";
    /** As long as the hash: RFC 7518, section 3.2. */
    private static final int SECRET_BYTES = 32;
    /** RFC 7518, section 3.3. */
    private static final int RSA_BITS = 2048;

    private final QueenConfig.Jwt config;
    private final PublicKey publicKey;

    KeySettings(QueenConfig.Jwt config) {
        this.config = config;
        this.publicKey = takes(KeyRing.RS256) || takes(KeyRing.EDDSA)
                ? config.publicKey().map(KeySettings::read).orElse(null)
                : null;
    }

    private boolean takes(String algorithm) {
        return config.algorithm().equals(algorithm) || config.algorithm().equals(AUTO);
    }

    /** Without those of the key server. */
    KeyRing ring() {
        return new KeyRing(
                takes(KeyRing.HS256) ? config.secret().map(KeySettings::secret).orElse(null) : null,
                publicKey,
                List.of());
    }

    /** Whether there is a key server and it is to be asked. */
    boolean asksKeyServer() {
        return publicKey == null
                && config.jwksUrl().isPresent()
                && !config.algorithm().equals(KeyRing.HS256);
    }

    /** Those for which there is a key, or for which the key server may have one. */
    Set<String> algorithms() {
        List<String> algorithms = new ArrayList<>();
        if (takes(KeyRing.HS256) && config.secret().isPresent()) {
            algorithms.add(KeyRing.HS256);
        }
        if (takes(KeyRing.RS256) && (publicKey instanceof RSAPublicKey || asksKeyServer())) {
            algorithms.add(KeyRing.RS256);
        }
        if (takes(KeyRing.EDDSA) && (publicKey instanceof EdECPublicKey || asksKeyServer())) {
            algorithms.add(KeyRing.EDDSA);
        }
        if (algorithms.isEmpty()) {
            throw new SettingsException("JWT_ENABLED is true and JWT_ALGORITHM is " + config.algorithm() + ": set "
                    + switch (config.algorithm()) {
                        case AUTO -> "JWT_SECRET, JWT_PUBLIC_KEY or JWT_JWKS_URL.";
                        case "HS256" -> "JWT_SECRET.";
                        case "RS256" -> "JWT_PUBLIC_KEY (an RSA key) or JWT_JWKS_URL.";
                        default -> "JWT_PUBLIC_KEY (an Ed25519 key) or JWT_JWKS_URL.";
                    });
        }
        return Set.copyOf(algorithms);
    }

    static SecretKeySpec secret(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < SECRET_BYTES) {
            throw new SettingsException("JWT_SECRET has " + bytes.length + " bytes; HS256 needs at least "
                    + SECRET_BYTES + ", for example from: openssl rand -hex 32");
        }
        return new SecretKeySpec(bytes, "HmacSHA256");
    }

    private static PublicKey read(String pem) {
        return read(new X509EncodedKeySpec(Pem.read(pem, "PUBLIC KEY", "JWT_PUBLIC_KEY")));
    }

    private static PublicKey read(X509EncodedKeySpec bytes) {
        for (String kind : List.of("RSA", "EdDSA")) {
            try {
                return strong(KeyFactory.getInstance(kind).generatePublic(bytes));
            } catch (GeneralSecurityException e) {
                // the other kind, or none
            }
        }
        throw new SettingsException("JWT_PUBLIC_KEY is neither an RSA nor an Ed25519 key.");
    }

    private static PublicKey strong(PublicKey key) {
        if (key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < RSA_BITS) {
            throw new SettingsException("JWT_PUBLIC_KEY has " + rsa.getModulus().bitLength()
                    + " bits; RS256 needs at least " + RSA_BITS + ".");
        }
        if (key instanceof EdECPublicKey ed && !ed.getParams().getName().equals(NamedParameterSpec.ED25519.getName())) {
            throw new SettingsException(
                    "JWT_PUBLIC_KEY is an " + ed.getParams().getName() + " key; it must be Ed25519.");
        }
        return key;
    }
}
