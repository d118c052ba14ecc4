package io.queen.buffer;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.push;
import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Maintenance;
import io.queen.testing.Partitions;
import io.queen.testing.UnusualSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A small buffer of a server that has a key. Without a twin: it looks at the files of the buffer. */
@QuarkusTest
@TestProfile(UnusualSettings.class)
class BufferEncryptionTest {

    @ConfigProperty(name = "queen.buffer.dir")
    Path directory;

    private final String queue = Partitions.name("buffer-encryption");

    @BeforeEach
    void on() {
        Maintenance.push(true);
    }

    @AfterEach
    void off() {
        Maintenance.push(false);
        await().atMost(Duration.ofSeconds(60)).until(() -> Maintenance.pending() == 0);
    }

    @Test
    void push_buffered_isEncryptedOnDiskAndDrainedInClear() throws Exception {
        push(item(queue, "p", "t", "{ \"secret\" : 1 }")).body("[0].status", equalTo("buffered"));
        assertThat(onDisk()).contains(queue).contains("authTag").doesNotContain("secret");
        off();
        get("/api/v1/pop/queue/" + queue).then().statusCode(200).body("messages[0].data.secret", equalTo(1));
    }

    @Test
    void push_bufferFull_is503AndGoesOnWhenThereIsRoom() {
        push(item(queue, "p", "t", "\"" + "x".repeat(5000) + "\""))
                .statusCode(503)
                .header("Retry-After", "1")
                .body("code", equalTo("BUFFER_UNAVAILABLE"))
                .body("error", containsString("queen.buffer.max-size"));
        assertThat(Maintenance.pending()).isZero();
        push(item(queue, "p", "t", "1")).statusCode(201).body("[0].status", equalTo("buffered"));
    }

    private String onDisk() throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            StringBuilder text = new StringBuilder();
            for (Path file : tree.filter(Files::isRegularFile).toList()) {
                text.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
            return text.toString();
        }
    }
}
