package io.queen.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority of the test's own, and certificates that it signs: made by the JDK's keytool, as files in PEM. */
public final class Certificates {
    private static final String PASSWORD = "changeit";
    private static final String AUTHORITY = "authority";

    private final Path directory;

    public Certificates(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
        keytool(AUTHORITY, "now", "-ext", "bc:c");
        try {
            Files.writeString(
                    authority(),
                    pem(
                            "CERTIFICATE",
                            store(directory).getCertificate(AUTHORITY).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** The file that a client trusts. */
    public Path authority() {
        return directory.resolve("authority.pem");
    }

    public Path cert(String name) {
        return directory.resolve(name + ".crt");
    }

    public Path key(String name) {
        return directory.resolve(name + ".key");
    }

    /** For localhost and 127.0.0.1. */
    public Certificates issue(String name) throws IOException {
        return issue(name, "now", "dns:localhost,ip:127.0.0.1");
    }

    /** Valid for ten days from then on, for these names. */
    public Certificates issue(String name, String from, String names) throws IOException {
        keytool(name, from, "-signer", AUTHORITY, "-ext", "san=" + names);
        try {
            KeyStore store = store(directory);
            Files.writeString(
                    cert(name), pem("CERTIFICATE", store.getCertificate(name).getEncoded()));
            byte[] key = store.getKey(name, PASSWORD.toCharArray()).getEncoded();
            Files.writeString(key(name), pem("PRIVATE KEY", key));
            Files.setPosixFilePermissions(key(name), PosixFilePermissions.fromString("rw-------"));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
        return this;
    }

    /** Of a client that trusts this authority alone. */
    public SSLContext trusting() throws GeneralSecurityException, IOException {
        return trusting(directory);
    }

    /** The same, for an authority that was made in that directory before. */
    public static SSLContext trusting(Path directory) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(AUTHORITY, store(directory).getCertificate(AUTHORITY));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    private static KeyStore store(Path directory) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(directory.resolve("store.p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private void keytool(String name, String from, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-keyalg",
                "EC",
                "-validity",
                "10",
                "-storepass",
                PASSWORD,
                "-keystore",
                directory.resolve("store.p12").toString()));
        command.addAll(from.equals("now") ? List.of() : List.of("-startdate", from));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(output);
        }
    }

    private static String pem(String kind, byte[] content) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + kind
                + "-----\n";
    }
}
