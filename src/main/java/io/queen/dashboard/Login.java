package io.queen.dashboard;

import io.queen.config.QueenConfig;
import io.queen.config.SettingsException;
import io.vertx.core.json.JsonObject;

/** How people come to a token: what a web page has to know before it has one. */
final class Login {
    private Login() {}

    static JsonObject of(QueenConfig config) {
        return new JsonObject().put("tokens", config.jwt().enabled()).put("oidc", issuer(config.oidc()));
    }

    private static JsonObject issuer(QueenConfig.Oidc oidc) {
        if (oidc.issuer().isPresent() != oidc.clientId().isPresent()) {
            throw new SettingsException(
                    "QUEEN_OIDC_ISSUER and QUEEN_OIDC_CLIENT_ID belong together: set both or neither.");
        }
        return oidc.issuer()
                .map(issuer -> new JsonObject()
                        .put("issuer", issuer)
                        .put("clientId", oidc.clientId().orElseThrow())
                        .put("scope", oidc.scope()))
                .orElse(null);
    }
}
