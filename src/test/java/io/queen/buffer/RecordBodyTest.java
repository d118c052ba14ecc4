package io.queen.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.PushItem;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RecordBodyTest {
    private static final List<PushItem> ITEMS = List.of(
            new PushItem("q", "p", "t", UUID.randomUUID(), "{ \"é😀\" : 1.50 }", "alice"),
            new PushItem("", "Default", "x".repeat(255), null, "null", null),
            new PushItem("q", "p", "large", null, "\"" + "x".repeat(100_000) + "\"", null));

    @Test
    void read_written_isTheSame() {
        RecordBody body = new RecordBody(false, ITEMS);
        assertThat(RecordBody.read(body.write())).contains(body);
        assertThat(RecordBody.read(new RecordBody(true, ITEMS).write())).contains(new RecordBody(true, ITEMS));
    }

    @Test
    void read_otherVersion_isEmpty() {
        byte[] body = new RecordBody(false, ITEMS).write();
        body[0] = 2;
        assertThat(RecordBody.read(body)).isEmpty();
    }

    @Test
    void read_cutAnywhere_isEmpty() {
        byte[] body = new RecordBody(false, ITEMS.subList(0, 2)).write();
        for (int length = 0; length < body.length; length++) {
            assertThat(RecordBody.read(Arrays.copyOf(body, length))).isEmpty();
        }
    }
}
