package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Ports;
import io.queen.testing.ServerProcess;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file buffer whose disk takes a little, and not more. */
class FullDiskProcessTest {
    /** Files of at most a megabyte; beyond it a write fails, as it does on a disk that is full. */
    private static final String[] SMALL_FILES = {"sh", "-c", "trap '' XFSZ; ulimit -f 2048; exec \"$@\"", "sh"};

    @TempDir
    Path directory;

    @Test
    void push_diskTakesNoMore_is503AndLeavesNoFile() throws Exception {
        Map<String, String> environment = Map.of(
                "PG_HOST", "127.0.0.1",
                "PG_PORT", Integer.toString(Ports.free()),
                "FILE_BUFFER_DIR", directory.resolve("buffers").toString());
        try (ServerProcess server =
                ServerProcess.start(environment, SMALL_FILES).awaitLog("not reachable yet")) {
            assertThat(push(server, "small").statusCode()).isEqualTo(201);
            List<Path> one = segments();
            for (int i = 0; i < 5; i++) {
                HttpResponse<String> refused = push(server, "x".repeat(2 << 20));
                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
                assertThat(refused.body()).contains("BUFFER_UNAVAILABLE");
            }
            assertThat(segments()).isEqualTo(one).hasSize(1);
            assertThat(push(server, "small").statusCode()).isEqualTo(201);
            assertThat(segments()).hasSize(2);
        }
    }

    private static HttpResponse<String> push(ServerProcess server, String payload) throws Exception {
        JsonObject item = new JsonObject().put("queue", "full").put("payload", payload);
        return server.push(item);
    }

    private List<Path> segments() throws Exception {
        try (Stream<Path> tree = Files.walk(directory)) {
            return tree.filter(path -> path.toString().endsWith(".segment")).toList();
        }
    }
}
