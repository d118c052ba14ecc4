package io.queen.buffer;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.push;
import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Maintenance;
import io.queen.testing.NoRoom;
import io.queen.testing.Partitions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A buffer that can't be written. */
@QuarkusTest
@TestProfile(NoRoom.class)
class BufferUnwritableTest {

    @AfterEach
    void off() {
        Maintenance.push(false);
    }

    @Test
    void push_diskRefuses_is503AndThePartitionIsNotHeld() {
        String queue = Partitions.name("unwritable");
        Maintenance.push(true);
        for (int i = 0; i < 2; i++) {
            push(item(queue, "p", "t", "1"))
                    .statusCode(503)
                    .header("Retry-After", "1")
                    .body("code", equalTo("BUFFER_UNAVAILABLE"))
                    .body("error", startsWith("The message can't go to the database now, and can't be kept on disk"));
        }
        get("/metrics").then().body("buffer.healthy", equalTo(false));
        assertThat(Maintenance.pending()).isZero();
        off();
        push(item(queue, "p", "t", "1")).statusCode(201).body("[0].status", equalTo("queued"));
    }
}
