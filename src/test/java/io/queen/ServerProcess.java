package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** The packaged server as a process of its own, to be started, killed and restarted. */
public final class ServerProcess implements AutoCloseable {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    /** A thread for each: requests that wait would block a pool as small as the machine. */
    static final Executor THREADS = task -> {
        Thread thread = new Thread(task, "client");
        thread.setDaemon(true);
        thread.start();
    };

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Process process;
    private final Path log;
    private final int port;

    private ServerProcess(Process process, Path log, int port) {
        this.process = process;
        this.log = log;
        this.port = port;
    }

    public static ServerProcess start(Map<String, String> environment, String... prefix) throws IOException {
        int port = freePort();
        Path log = Files.createTempFile(Path.of("target"), "server-", ".log");
        List<String> command = new ArrayList<>(List.of(prefix));
        command.addAll(PackagedProgram.command());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("QUEEN"));
        builder.environment().put("PORT", Integer.toString(port));
        builder.environment()
                .put(
                        "FILE_BUFFER_DIR",
                        Path.of("target", "buffers-" + port).toAbsolutePath().toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        return new ServerProcess(process, log, port);
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    public ServerProcess awaitReady() {
        await().atMost(LIMIT)
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(status("/q/health/ready")).as(log()).isEqualTo(200));
        return this;
    }

    /** Ready when the log says so: for servers whose readiness is that of the database. */
    ServerProcess awaitLog(String text) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(log()).contains(text));
        return this;
    }

    int awaitExit() {
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(20)).until(() -> !process.isAlive());
        return process.exitValue();
    }

    /** SIGTERM. */
    public void terminate() {
        process.destroy();
        awaitExit();
    }

    /** SIGKILL. */
    public void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int status(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(5)).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    HttpResponse<String> post(String path, JsonObject body) throws IOException, InterruptedException {
        return send(request(path).POST(HttpRequest.BodyPublishers.ofString(body.encode())));
    }

    HttpResponse<String> delete(String path) throws IOException, InterruptedException {
        return send(request(path).DELETE());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Pops that wait on this server. */
    int parked() throws IOException, InterruptedException {
        return new JsonObject(get("/metrics").body()).getJsonObject("pop").getInteger("parked");
    }

    /** The first line of the answer, without a client that has to warm up itself. */
    String exchange(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
        }
    }

    boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        terminate();
    }
}
