package io.queen.testing;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/**
 * A server that asks for tokens: by HS256 with the secret, or by RS256 with the RSA key, of {@link TestTokens}. The paths
 * without a token lead to nothing.
 */
public final class WithTokens implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "queen.jwt.enabled",
                "true",
                "queen.jwt.algorithm",
                "auto",
                "queen.jwt.secret",
                TestTokens.SECRET,
                "queen.jwt.public-key",
                TestTokens.pem(TestTokens.RSA).replace("\n", "\\n"),
                "queen.jwt.issuer",
                TestTokens.ISSUER,
                "queen.jwt.audience",
                TestTokens.AUDIENCE,
                "queen.jwt.skip-paths",
                "/api/v1/skipped,/api/v1/skipped-too/");
    }
}
