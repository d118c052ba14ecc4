package io.queen.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.queen.testing.Skip;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The health check of the images asks the server where its variables put it. */
class HealthCheckTest {
    private volatile int status = 200;
    private HttpServer server;
    private String port;

    @BeforeAll
    static void onLinux() {
        Skip.NOT_LINUX.unless(System.getProperty("os.name").equals("Linux"));
    }

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/q/health/ready", exchange -> {
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        port = Integer.toString(server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void health_byAnyVariable_findsTheServer() throws Exception {
        assertThat(health(Map.of("PORT", port))).isZero();
        assertThat(health(Map.of("PORT", port, "HOST", "0.0.0.0"))).isZero();
        assertThat(health(Map.of("PORT", "1", "QUEEN_HTTP_PORT", port))).isZero();
        assertThat(health(Map.of("PORT", port, "HOST", "::1", "QUEEN_HTTP_HOST", "127.0.0.1")))
                .isZero();
    }

    @Test
    void health_otherAddressOrNotReady_fails() throws Exception {
        assertThat(health(Map.of("PORT", port, "HOST", "::1"))).isNotZero();
        status = 503;
        assertThat(health(Map.of("PORT", port))).isNotZero();
    }

    /** The port alone is looked at: with TLS there is no more to see from bash. */
    @Test
    void health_ofTls_isAnOpenPort() throws Exception {
        status = 503;
        assertThat(health(Map.of("PORT", port, "QUEEN_TLS_CERT", "/tls.crt"))).isZero();
        assertThat(health(Map.of("PORT", port, "HOST", "::1", "QUEEN_TLS_CERT", "/tls.crt")))
                .isNotZero();
    }

    private static int health(Map<String, String> variables) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("native/health");
        builder.environment()
                .keySet()
                .removeAll(List.of("HOST", "PORT", "QUEEN_HTTP_HOST", "QUEEN_HTTP_PORT", "QUEEN_TLS_CERT"));
        builder.environment().putAll(variables);
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
