package io.queen.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Certificates;
import io.queen.testing.Partitions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@QuarkusTest
@TestProfile(TlsTest.Https.class)
class TlsTest {
    private static final Path DIRECTORY = Path.of("target", "tls").toAbsolutePath();
    private static final Path CERT = DIRECTORY.resolve("served.crt");
    private static final Path KEY = DIRECTORY.resolve("served.key");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TestHTTPResource(value = "/", tls = true)
    URI server;

    @TempDir
    Path elsewhere;

    /** Serves {@code first}, of an authority of its own. */
    public static final class Https implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            try {
                Files.createDirectories(DIRECTORY);
                Files.deleteIfExists(DIRECTORY.resolve("store.p12"));
                new Certificates(DIRECTORY).issue("first").issue("second").issue("third");
                show("first");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return Map.of("queen.tls.cert", CERT.toString(), "queen.tls.key", KEY.toString());
        }
    }

    @AfterEach
    void showTheFirstAgain() throws Exception {
        show("first");
        await().atMost(LIMIT).until(() -> shown().equals("CN=first"));
    }

    @Test
    void request_authorityKnown_isAnsweredInHttp2AndHttp1() throws Exception {
        for (HttpClient.Version version : HttpClient.Version.values()) {
            HttpClient client = client(trusting(), version);
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> answer = get(client, "/health");
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.version()).isEqualTo(version);
                assertThat(push(client).statusCode()).isEqualTo(201);
            }
        }
    }

    @Test
    void request_authorityUnknown_isNotMade() throws Exception {
        SSLContext others = new Certificates(elsewhere).trusting();
        assertThatThrownBy(() -> get(client(others, HttpClient.Version.HTTP_1_1), "/health"))
                .isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void request_withoutTls_isNotAnswered() throws Exception {
        try (Socket socket = new Socket("localhost", server.getPort())) {
            socket.getOutputStream()
                    .write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("HTTP/1.1");
        }
    }

    @Test
    void request_ofAForeignPage_isRefusedInBothVersions() throws Exception {
        for (HttpClient.Version version : HttpClient.Version.values()) {
            HttpRequest request = HttpRequest.newBuilder(server.resolve("/health"))
                    .header("Origin", "https://evil.example")
                    .build();
            HttpResponse<String> answer = client(trusting(), version).send(request, BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).contains("FOREIGN_ORIGIN");
        }
    }

    /** As the first thing that is sent, in the very packet that ends the handshake perhaps. */
    @Test
    void request_notHttp_getsTheErrorBody() throws Exception {
        try (SSLSocket socket = (SSLSocket) trusting().getSocketFactory().createSocket("localhost", server.getPort())) {
            socket.getOutputStream().write("GET /a^b HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 400")
                    .contains("\"code\":\"BAD_REQUEST\"");
        }
    }

    @Test
    void certificate_replacedUnderLoad_isShownAndNoRequestFails() throws Exception {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        AtomicInteger answered = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(1);
        List<Thread> load = Stream.generate(() -> new Thread(() -> ask(ended, answered, failures)))
                .limit(4)
                .toList();
        load.forEach(Thread::start);
        // The certificate first, and its key when the server has had the time to look: no handshake may see that.
        Files.copy(DIRECTORY.resolve("second.crt"), CERT, StandardCopyOption.REPLACE_EXISTING);
        await().during(Duration.ofSeconds(6)).atMost(LIMIT).until(() -> shown().equals("CN=first"));
        Files.copy(DIRECTORY.resolve("second.key"), KEY, StandardCopyOption.REPLACE_EXISTING);
        await().atMost(LIMIT).until(() -> shown().equals("CN=second"));
        show("third");
        await().atMost(LIMIT).until(() -> shown().equals("CN=third"));
        ended.countDown();
        for (Thread each : load) {
            each.join();
        }
        assertThat(failures).isEmpty();
        assertThat(answered.get()).isGreaterThan(100);
    }

    @Test
    void certificate_replacedByNonsense_stays() throws Exception {
        Files.writeString(CERT, "nonsense");
        await().during(Duration.ofSeconds(6)).atMost(LIMIT).until(() -> shown().equals("CN=first"));
    }

    /** Every second request on a connection of its own. */
    private void ask(CountDownLatch ended, AtomicInteger answered, Queue<Throwable> failures) {
        try {
            HttpClient kept = client(trusting(), HttpClient.Version.HTTP_1_1);
            while (ended.getCount() > 0) {
                assertThat(get(kept, "/health").statusCode()).isEqualTo(200);
                assertThat(shown()).isNotEmpty();
                answered.addAndGet(2);
            }
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    /** The subject of the certificate that a new connection is shown. */
    private String shown() throws Exception {
        try (SSLSocket socket = (SSLSocket) trusting().getSocketFactory().createSocket("localhost", server.getPort())) {
            socket.startHandshake();
            X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return certificate.getSubjectX500Principal().getName();
        }
    }

    private static void show(String name) throws IOException {
        Files.copy(DIRECTORY.resolve(name + ".crt"), CERT, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(DIRECTORY.resolve(name + ".key"), KEY, StandardCopyOption.REPLACE_EXISTING);
    }

    private static SSLContext trusting() throws Exception {
        return Certificates.trusting(DIRECTORY);
    }

    private static HttpClient client(SSLContext tls, HttpClient.Version version) {
        return HttpClient.newBuilder().sslContext(tls).version(version).build();
    }

    private HttpResponse<String> push(HttpClient client) throws IOException, InterruptedException {
        String items = "{\"items\":[{\"queue\":\"" + Partitions.name("tls") + "\",\"payload\":1}]}";
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/api/v1/push"))
                .POST(BodyPublishers.ofString(items))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private HttpResponse<String> get(HttpClient client, String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(server.resolve(path)).build(), BodyHandlers.ofString());
    }
}
