package io.queen.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The packaged server as a process of its own, to be started, killed and restarted. */
public final class ServerProcess implements AutoCloseable {
    private static final Http HTTP = new Http(Duration.ofSeconds(30));
    /** A server that does not tell its health within seconds is not healthy. */
    private static final Http HEALTH = new Http(Duration.ofSeconds(5));

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
        int port = Ports.free();
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

    public ServerProcess awaitReady() {
        await().atMost(LIMIT)
                .ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(status("/q/health/ready")).as(log()).isEqualTo(200));
        return this;
    }

    /** Ready when the log says so: for servers whose readiness is that of the database. */
    public ServerProcess awaitLog(String text) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(log()).contains(text));
        return this;
    }

    public int awaitExit() {
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

    public int port() {
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

    public int status(String path) throws IOException, InterruptedException {
        return HEALTH.get(uri(path)).statusCode();
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return HTTP.get(uri(path));
    }

    public HttpResponse<String> post(String path, JsonObject body) throws IOException, InterruptedException {
        return HTTP.post(uri(path), body);
    }

    public HttpResponse<String> push(JsonObject... items) throws IOException, InterruptedException {
        return post("/api/v1/push", new JsonObject().put("items", new JsonArray(List.of(items))));
    }

    /** Pushes the numbers as payloads, in one request that must succeed. */
    public void push(String queue, String partition, int... numbers) throws IOException, InterruptedException {
        HttpResponse<String> answer = push(IntStream.of(numbers)
                .mapToObj(number -> new JsonObject()
                        .put("queue", queue)
                        .put("partition", partition)
                        .put("payload", number))
                .toArray(JsonObject[]::new));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    public HttpResponse<String> delete(String path) throws IOException, InterruptedException {
        return HTTP.delete(uri(path));
    }

    /** Pops that wait on this server. */
    public int parked() throws IOException, InterruptedException {
        return new JsonObject(get("/metrics").body()).getJsonObject("pop").getInteger("parked");
    }

    @Override
    public void close() {
        terminate();
    }
}
