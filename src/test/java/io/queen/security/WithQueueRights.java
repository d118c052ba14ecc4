package io.queen.security;

import io.quarkus.test.junit.QuarkusTestProfile;
import io.queen.testing.TestTokens;
import java.util.Map;

/** A server that asks for tokens on every path that is not public: by HS256, or by EdDSA. */
public final class WithQueueRights implements QuarkusTestProfile {
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
                TestTokens.pem(TestTokens.ED25519).replace("\n", "\\n"),
                "queen.jwt.skip-paths",
                "/health",
                "queen.oidc.issuer",
                "https://login.example.org/realms/shop",
                "queen.oidc.client-id",
                "queen-dashboard");
    }
}
