package io.queen.tls;

import io.queen.config.SettingsException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * A certificate and its private key, each in a file that a setting names. They are checked here because what reads them
 * later takes any key for any certificate, and each handshake would fail.
 */
public record PemPair(String certSetting, Path cert, String keySetting, Path key) {

    /** Both files, one after the other: what differs when one has changed. */
    public byte[] content() {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(read(certSetting, cert));
        both.writeBytes(read(keySetting, key));
        return both.toByteArray();
    }

    /** Fails with a sentence that names the setting, unless both can be read and belong together. */
    public Certificate require() {
        Certificate certificate = certificate(certSetting, cert);
        PrivateKey own = privateKey(certificate);
        try {
            if (!fits(own, certificate)) {
                throw new SettingsException(keySetting + ": " + key + " is not the key of the certificate in " + cert
                        + " (" + certSetting + ").");
            }
        } catch (GeneralSecurityException e) {
            throw new SettingsException(keySetting + ": " + key + " can't be used: " + e.getMessage());
        }
        return certificate;
    }

    /** The first certificate in the file. */
    public static Certificate certificate(String setting, Path file) {
        try {
            byte[] text = read(setting, file);
            return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(text));
        } catch (CertificateException e) {
            throw new SettingsException(setting + ": " + file + " holds no certificate in PEM.");
        }
    }

    private PrivateKey privateKey(Certificate certificate) {
        X509ExtendedKeyManager manager = keyManager();
        String[] names = manager.getServerAliases(certificate.getPublicKey().getAlgorithm(), null);
        if (names == null) {
            throw new SettingsException(keySetting + ": " + key + " is of another kind than the certificate in " + cert
                    + " (" + certSetting + ").");
        }
        return manager.getPrivateKey(names[0]);
    }

    /** Gives both to a handshake. */
    public X509ExtendedKeyManager keyManager() {
        PemKeyCertOptions pair = new PemKeyCertOptions()
                .addCertValue(Buffer.buffer(read(certSetting, cert)))
                .addKeyValue(Buffer.buffer(read(keySetting, key)));
        try {
            return (X509ExtendedKeyManager) pair.getKeyManagerFactory(null).getKeyManagers()[0];
        } catch (Exception e) { // as it is declared there
            throw new SettingsException(keySetting + ": " + key + " holds no private key in PEM, without a password.");
        }
    }

    private static boolean fits(PrivateKey key, Certificate certificate) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> key.getAlgorithm();
                });
        byte[] anything = {1};
        signature.initSign(key);
        signature.update(anything);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(anything);
        return signature.verify(signed);
    }

    private static byte[] read(String setting, Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new SettingsException(setting + ": " + file + " can't be read (" + e + ").");
        }
    }
}
