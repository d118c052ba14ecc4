package io.queen;

import io.queen.config.SettingsException;
import io.queen.tls.PemPair;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/** Looks at certificates and keys before anything else is started: what is wrong is said with the name of its setting. */
final class TlsFiles {
    private TlsFiles() {}

    static void require(Config config) {
        pair(config, "QUEEN_TLS_CERT", "queen.tls.cert", "QUEEN_TLS_KEY", "queen.tls.key")
                .ifPresent(PemPair::require);
        Optional<Path> authority = file(config, "queen.database.ssl-root-cert", "PG_SSL_ROOT_CERT");
        authority.ifPresent(file -> PemPair.certificate("PG_SSL_ROOT_CERT", file));
        pair(config, "PG_SSL_CERT", "queen.database.ssl-cert", "PG_SSL_KEY", "queen.database.ssl-key")
                .ifPresent(pair -> requireClient(pair, authority));
    }

    /** The JDBC driver takes no other names for PEM, and with a certificate does not look for authorities by itself. */
    private static void requireClient(PemPair pair, Optional<Path> authority) {
        if (authority.isEmpty()) {
            throw new SettingsException(
                    "PG_SSL_CERT needs PG_SSL_ROOT_CERT, the authority of PostgreSQL's certificate.");
        }
        if (!pair.key().toString().matches(".*\\.(key|pem)")) {
            throw new SettingsException("PG_SSL_KEY: the name of " + pair.key() + " must end with .key or .pem.");
        }
        pair.require();
    }

    private static Optional<PemPair> pair(
            Config config, String certVariable, String certKey, String keyVariable, String keyKey) {
        Optional<Path> cert = file(config, certKey, certVariable);
        Optional<Path> key = file(config, keyKey, keyVariable);
        if (cert.isPresent() != key.isPresent()) {
            throw new SettingsException(
                    certVariable + " and " + keyVariable + " belong together: set both or neither.");
        }
        return cert.map(file -> new PemPair(certVariable, file, keyVariable, key.get()));
    }

    private static Optional<Path> file(Config config, String... names) {
        return Stream.of(names)
                .flatMap(name -> config.getOptionalValue(name, String.class).stream())
                .filter(value -> !value.isBlank())
                .map(Path::of)
                .findFirst();
    }
}
