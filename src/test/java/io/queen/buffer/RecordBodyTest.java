package io.queen.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import java.time.OffsetDateTime;
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
    void read_writtenWithHeadersAndTimes_isTheSame() {
        PartitionName name = new PartitionName("q", "p");
        OffsetDateTime time = OffsetDateTime.parse("2031-01-02T03:04:05.678901Z");
        RecordBody body = new RecordBody(
                false,
                List.of(
                        new PushItem(name, "a", null, "1", null, "{\"é\":\"1\"}", time),
                        ITEMS.get(0),
                        new PushItem(
                                name,
                                "b",
                                null,
                                "1",
                                null,
                                null,
                                time.withNano(0).withSecond(0))));
        assertThat(RecordBody.read(body.write())).contains(body);
    }

    /** A server of before can read it, and its own records are read: the format is what it was. */
    @Test
    void write_noHeaders_isTheFirstFormat() {
        byte[] body = new RecordBody(false, List.of(new PushItem("q", "", "t", null, "1", null))).write();
        assertThat(body)
                .containsExactly(
                        1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 'q', 0, 0, 0, 0, 0, 0, 0, 1, 't', 0, 0, 0, 1, '1', -1, -1, -1, -1,
                        -1, -1, -1, -1);
    }

    @Test
    void read_otherVersion_isEmpty() {
        byte[] body = new RecordBody(false, ITEMS).write();
        body[0] = 3;
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
