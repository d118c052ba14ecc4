package io.queen.tls;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.queen.config.QueenConfig;
import io.queen.config.SettingsException;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.Arrays;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jboss.logging.Logger;

/**
 * Shows a new certificate when its files have changed; connections that are open stay as they are.
 *
 * <p>Quarkus' registry has read the files first. Its own reload is not used: it takes a certificate whose key has not been
 * written yet, so that every handshake fails, and while Vert.x builds TLS anew it drops each connection that comes.
 */
@Singleton
final class CertificateReload implements HttpServerOptionsCustomizer {
    private static final Logger LOG = Logger.getLogger(CertificateReload.class);
    private static final long LOOK_EVERY_MS = 5000;

    private final PemPair files;
    private final Vertx vertx;
    private RenewedKeyManager keys;
    private byte[] seen;

    CertificateReload(QueenConfig config, Vertx vertx) {
        this.vertx = vertx;
        this.files = config.tls()
                .cert()
                .map(cert -> new PemPair(
                        "QUEEN_TLS_CERT",
                        Path.of(cert),
                        "QUEEN_TLS_KEY",
                        Path.of(config.tls().key().orElse(""))))
                .orElse(null);
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        if (files != null) {
            seen = files.content();
            keys = new RenewedKeyManager(files.keyManager());
            options.setKeyCertOptions(KeyCertOptions.wrap(keys));
            vertx.setPeriodic(LOOK_EVERY_MS, ignored -> vertx.executeBlocking(this::look));
        }
    }

    /** One at a time: they are in order on the worker threads of the context that set the timer. */
    private boolean look() {
        try {
            byte[] found = files.content();
            if (!Arrays.equals(found, seen)) {
                seen = found;
                files.require();
                renew(found);
            }
        } catch (SettingsException e) {
            LOG.warnf("The certificate stays the one that was there. %s", e.getMessage());
        }
        return true;
    }

    /** What is read now may be newer than what was checked: then the next look decides. */
    private void renew(byte[] checked) {
        X509ExtendedKeyManager read = files.keyManager();
        if (Arrays.equals(checked, files.content())) {
            keys.renew(read);
            LOG.info("The certificate has changed: new connections are shown the new one");
        } else {
            seen = new byte[0];
        }
    }
}
