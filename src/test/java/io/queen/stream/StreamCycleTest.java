package io.queen.stream;

import static io.queen.stream.Streams.GROUP;
import static io.queen.stream.Streams.ack;
import static io.queen.stream.Streams.cycle;
import static io.queen.stream.Streams.ops;
import static io.queen.stream.Streams.push;
import static io.queen.stream.Streams.pushes;
import static io.queen.stream.Streams.state;
import static io.queen.stream.Streams.upsert;
import static io.queen.testing.Client.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class StreamCycleTest {
    private static final String KEEP = ",\"release_lease\":false";

    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final UUID partition = partitions.filled(3, 3);
    private final UUID lease = partitions.lease(partition, GROUP, 3);
    private final String sink = Partitions.name("sink");
    private UUID query;

    @BeforeEach
    void register() {
        query = Streams.query(partitions.queue(partition));
    }

    @Test
    void cycle_applied_answersEveryField() {
        cycle(
                        query,
                        partition,
                        ops(upsert("k", "1"), upsert("l", "2")),
                        pushes(push(sink, "{\"n\": 1.0}", ",\"transactionId\":\"t\""), push(sink, "2", "")),
                        ack("m3", lease, ",\"count\":3"))
                .statusCode(200)
                .body("success", equalTo(true))
                .body("query_id", equalTo(query.toString()))
                .body("partition_id", equalTo(partition.toString()))
                .body("queueName", equalTo(partitions.queue(partition)))
                .body("state_ops_applied", equalTo(2))
                .body("push_results", hasSize(2))
                .body("push_results[0].status", equalTo("queued"))
                .body("push_results[0].transactionId", equalTo("t"))
                .body("push_results[0].queueName", equalTo(sink))
                .body("ack_result.success", equalTo(true))
                .body("ack_result.count", equalTo(3))
                .body("ack_result.lease_released", equalTo(true))
                .body("ack_result.dlq", equalTo(false));
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(3);
        assertThat(held()).isNull();
        assertThat(sinkPayloads()).containsExactly("{\"n\": 1.0}", "2");
    }

    @Test
    void cycle_withoutAck_leavesTheCursorAndTheLease() {
        cycle(query, partition, ops(upsert("k", "1")), ",\"ack\":null")
                .body("success", equalTo(true))
                .body("ack_result", nullValue())
                .body("push_results", empty());
        assertThat(partitions.cursor(partition, GROUP)).isZero();
        assertThat(held()).isEqualTo(lease);
    }

    @Test
    void ack_partOfTheBatchWithRelease_endsTheLease() {
        cycle(query, partition, ack("m1", lease, "")).body("ack_result.lease_released", equalTo(true));
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(1);
        assertThat(held()).isNull();
        assertThat(sql.number("select count(*) from queen.push_log where ? = any (partition_ids)", partition))
                .isPositive();
    }

    @ParameterizedTest
    @CsvSource({"m1,1", "m3,3"})
    void ack_withoutRelease_keepsTheLease(String message, long cursor) {
        cycle(query, partition, ack(message, lease, ""), KEEP)
                .body("success", equalTo(true))
                .body("ack_result.lease_released", equalTo(false));
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(cursor);
        assertThat(held()).isEqualTo(lease);
        cycle(query, partition, ack("m3", lease, ""))
                .body("success", equalTo(true))
                .body("ack_result.lease_released", equalTo(true));
        assertThat(held()).isNull();
    }

    @Test
    void ack_ofAMessageBeforeTheCursor_neverMovesItBack() {
        cycle(query, partition, ack("m2", lease, ""), KEEP).body("success", equalTo(true));
        cycle(query, partition, ack("m1", lease, "")).body("success", equalTo(true));
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(2);
        assertThat(held()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"failed", "dlq"})
    void ack_failed_deadLettersAndEndsTheLease(String status) {
        cycle(query, partition, ack("m2", lease, ",\"status\":\"" + status + "\",\"error\":\"bad\""), KEEP)
                .body("success", equalTo(true))
                .body("ack_result.dlq", equalTo(true))
                .body("ack_result.lease_released", equalTo(true));
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(2);
        assertThat(held()).isNull();
        assertThat(sql.row(
                                "select transaction_id, error_message from queen.dead_letters where partition_id = ?",
                                partition)
                        .values())
                .containsExactly("m2", "bad");
    }

    @Test
    void ack_unknownMessage_undoesAll() {
        refused(cycle(query, partition, work(), ack("nope", lease, "")), "Message not found");
    }

    @Test
    void ack_wrongLease_undoesAll() {
        refused(cycle(query, partition, work(), ack("m1", UUID.randomUUID(), "")), "Invalid or expired lease");
        refused(
                cycle(query, partition, work(), ",\"ack\":{\"transactionId\":\"m1\",\"leaseId\":\"nonsense\"}"),
                "Invalid or expired lease");
        sql.rows("update queen.partition_consumers set lease_expires_at = now() where partition_id = ?", partition);
        refused(cycle(query, partition, work(), ack("m1", lease, "")), "Invalid or expired lease");
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry", "maybe", ""})
    void ack_unsupportedStatus_undoesAll(String status) {
        refused(cycle(query, partition, work(), ack("m1", lease, ",\"status\":\"" + status + "\"")), "status");
    }

    @Test
    void operation_ofUnknownType_undoesAll() {
        refused(
                cycle(
                        query,
                        partition,
                        ops(upsert("k", "1"), "{\"type\":\"merge\",\"key\":\"k\"}"),
                        ack("m1", lease, "")),
                "Unknown state operation type: merge");
    }

    @Test
    void cycle_unknownQueryOrPartition_isRefused() {
        refused(cycle(UUID.randomUUID(), partition, work()), "Query not found");
        refused(cycle(query, UUID.randomUUID(), work()), "Partition not found");
        assertThat(sql.number("select count(*) from queen.stream_partitions where query_id = ?", query))
                .isZero();
    }

    @Test
    void cycle_partitionOfAnotherQueue_isRefused() {
        UUID other = Streams.query(Partitions.name("other"));
        refused(
                cycle(other, partition, work(), pushes(push(sink, "1", "")), ack("m1", lease, "")),
                "Partition is not of the source queue of the query");
        state(other, partition, "").body("rows", empty());
        assertThat(sql.number("select count(*) from queen.stream_partitions where query_id = ?", other))
                .isZero();
    }

    /** A query that reads another queue now: its row for the partition of the old one is still there. */
    @Test
    void cycle_sourceOfTheQueryChanged_isRefused() {
        String name = Partitions.name("query");
        UUID moved = UUID.fromString(Streams.register(name, partitions.queue(partition), "h", "")
                .extract()
                .path("query_id"));
        cycle(moved, partition).body("success", equalTo(true));
        Streams.register(name, Partitions.name("other"), "h", "").statusCode(200);
        refused(cycle(moved, partition, work(), ack("m1", lease, "")), "Partition is not of the source queue");
        state(moved, partition, "").body("rows", empty());
    }

    @Test
    void pushes_manyOfACycle_areStoredInTheOrderOfTheirEmission() {
        String[] items = new String[50];
        for (int i = 0; i < items.length; i++) {
            items[i] = push(sink, String.valueOf(i), "");
        }
        List<String> ids = cycle(query, partition, pushes(items)).extract().path("push_results.message_id");
        assertThat(ids).isSorted().hasSize(50);
        assertThat(sinkPayloads()).containsExactlyElementsOf(payloadsTo(50));
    }

    @Test
    void pushes_duplicates_areSkipped() {
        UUID id = UUID.randomUUID();
        String item = push(sink, "1", ",\"transactionId\":\"t\",\"messageId\":\"" + id + "\"");
        cycle(query, partition, pushes(item, item))
                .body("success", equalTo(true))
                .body("push_results[0].status", equalTo("queued"))
                .body("push_results[0].message_id", equalTo(id.toString()))
                .body("push_results[1].status", equalTo("duplicate"));
        cycle(query, partition, pushes(push(sink, "2", ",\"transactionId\":\"t\""), push(sink, "3", "")), work())
                .body("success", equalTo(true))
                .body("push_results[0].status", equalTo("duplicate"))
                .body("push_results[0].message_id", equalTo(id.toString()))
                .body("push_results[1].status", equalTo("queued"));
        assertThat(sinkPayloads()).containsExactly("1", "3");
    }

    @Test
    void pushes_withHeadersAndATime_areStoredWithThem() {
        cycle(query, partition, pushes(push(sink, "1", ",\"headers\":{\"a\":\"b\"},\"delaySeconds\":86400")))
                .body("success", equalTo(true));
        assertThat(sql.row(
                                "select m.headers, m.deliver_at > now() as later from queen.messages m"
                                        + " where m.partition_id = ?",
                                partitions.id(sink, "Default"))
                        .values())
                .containsExactly("{\"a\":\"b\"}", true);
    }

    @Test
    void pushes_intoAFullQueue_undoAll() {
        post("/api/v1/configure", "{\"queue\":\"" + sink + "\",\"options\":{\"maxSize\":1}}")
                .statusCode(200);
        refused(
                cycle(query, partition, work(), pushes(push(sink, "1", ""), push(sink, "2", "")), ack("m3", lease, "")),
                "max capacity");
        cycle(query, partition, pushes(push(sink, "1", ""))).body("success", equalTo(true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ",\"state_ops\":{} | state_ops",
                ",\"state_ops\":[7] | state_ops[0]",
                ",\"state_ops\":[{\"type\":\"upsert\"}] | state_ops[0].key",
                ",\"state_ops\":[{\"key\":\"k\"}] | state_ops[0].type",
                ",\"state_ops\":[{\"type\":\"upsert\",\"key\":7}] | state_ops[0].key",
                ",\"state_ops\":[{\"type\":\"upsert\",\"key\":\"\\u0000\"}] | state_ops[0].key",
                ",\"push_items\":[{\"payload\":1}] | push_items[0].queue",
                ",\"push_items\":[{\"queue\":\"a\",\"messageId\":\"x\"}] | push_items[0].messageId",
                ",\"push_items\":7 | push_items",
                ",\"ack\":[] | ack",
                ",\"ack\":{} | ack.transactionId",
                ",\"ack\":{\"transactionId\":\"a\",\"count\":\"many\"} | ack.count",
                ",\"release_lease\":7 | release_lease",
                ",\"consumer_group\":7 | consumer_group"
            })
    void cycle_badField_isRefusedWithItsName(String field, String name) {
        cycle(query, partition, field).statusCode(400).body("error", containsString(name));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | query_id",
                "{} | query_id",
                "{\"query_id\":7} | query_id",
                "{\"query_id\":\"00000000-0000-0000-0000-000000000001\"} | partition_id",
                "{\"query_id\":\"x\",\"partition_id\":\"00000000-0000-0000-0000-000000000001\"} | query_id"
            })
    void cycle_badIds_areRefused(String body, String name) {
        post("/streams/v1/cycle", body).statusCode(400).body("error", containsString(name));
    }

    @Test
    void key_ofMoreThan2000Bytes_isRefused() {
        cycle(query, partition, ops(upsert("é".repeat(1001), "1")))
                .statusCode(400)
                .body("error", containsString("state_ops[0].key"));
        cycle(query, partition, ops(upsert("é".repeat(1000), "1"))).body("success", equalTo(true));
    }

    private String work() {
        return ops(upsert("k", "1"));
    }

    private void refused(ValidatableResponse answer, String error) {
        answer.statusCode(200)
                .body("success", equalTo(false))
                .body("error", containsString(error))
                .body("state_ops_applied", equalTo(0))
                .body("push_results", empty())
                .body("ack_result", nullValue());
        state(query, partition, "").body("rows", empty());
        assertThat(partitions.cursor(partition, GROUP)).isZero();
        assertThat(held()).isEqualTo(lease);
        assertThat(sinkPayloads()).isEmpty();
    }

    private Object held() {
        return partitions.consumer(partition, GROUP).get("lease_id");
    }

    private List<String> sinkPayloads() {
        return sql
                .rows(
                        "select m.payload from queen.messages m join queen.partitions p on p.id = m.partition_id"
                                + " join queen.queues q on q.id = p.queue_id where q.name = ? order by m.seq",
                        sink)
                .stream()
                .map(row -> (String) row.get("payload"))
                .toList();
    }

    private static List<String> payloadsTo(int count) {
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(String::valueOf)
                .toList();
    }
}
