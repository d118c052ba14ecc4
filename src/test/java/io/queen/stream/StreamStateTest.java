package io.queen.stream;

import static io.queen.stream.Streams.cycle;
import static io.queen.stream.Streams.delete;
import static io.queen.stream.Streams.ops;
import static io.queen.stream.Streams.state;
import static io.queen.stream.Streams.upsert;
import static io.queen.testing.Client.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class StreamStateTest {
    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final UUID partition = partitions.filled(3, 3);
    private UUID query;

    @BeforeEach
    void register() {
        query = Streams.query(partitions.queue(partition));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.0",
                "12345678901234567890.12345678901234567890",
                "1e2",
                "\"é\\u0000\\ud83d\\ude00\"",
                "null",
                "[1, 2]",
                "{\"b\":1,  \"a\": {\"b\":true}, \"a\": 2}",
                "-0"
            })
    void value_always_comesBackByteForByte(String value) {
        cycle(query, partition, ops(upsert("k", value))).body("success", equalTo(true));
        String answer = state(query, partition, "").statusCode(200).extract().asString();
        assertThat(answer).contains("\"value\":" + value + ",");
    }

    @Test
    void rows_always_haveKeyValueAndTimeInTheOrderOfTheirBytes() {
        write(upsert("b", "1"), upsert("a\\u001fé", "2"), upsert("B", "3"), upsert("😀", "4"), upsert("", "5"));
        state(query, partition, "")
                .body("success", equalTo(true))
                .body("rows.key", equalTo(List.of("", "B", "a\u001fé", "b", "😀")))
                .body("rows[0].value", equalTo(5))
                .body("rows[0].updated_at", matchesPattern("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"a%    | a%1", "a_    | a_1", "a     | a%1,a_1,ab1", "\\\\  | \\x", "zz    | ''", "😀    | 😀,😀😀"
            })
    void prefix_withWildcards_isTakenLiterally(String prefix, String keys) {
        write(
                upsert("a%1", "1"),
                upsert("a_1", "1"),
                upsert("ab1", "1"),
                upsert("\\\\x", "1"),
                upsert("😀", "1"),
                upsert("😀😀", "1"));
        List<String> found = keys(",\"key_prefix\":\"" + prefix + "\"");
        assertThat(String.join(",", found)).isEqualTo(keys);
    }

    @Test
    void ripe_always_comparesNumbersOnly() {
        write(
                upsert("early", "{\"windowEnd\": 99.5}"),
                upsert("exact", "{\"x\":{\"windowEnd\":1},\"windowEnd\":1e2}"),
                upsert("late", "{\"windowEnd\":101}"),
                upsert("text", "{\"windowEnd\":\"50\"}"),
                upsert("deep", "{\"x\":{\"windowEnd\":1}}"),
                upsert("list", "[{\"windowEnd\":1}]"),
                upsert("escaped", "{\"window\\u0045nd\":7}"));
        assertThat(keys(",\"ripe_at_or_before\":100")).containsExactly("early", "escaped", "exact");
        assertThat(keys(",\"ripe_at_or_before\":99.4")).containsExactly("escaped");
        assertThat(keys(",\"ripe_at_or_before\":100,\"key_prefix\":\"e\",\"keys\":[\"exact\",\"late\"]"))
                .containsExactly("exact");
        write(upsert("early", "{}"));
        assertThat(keys(",\"ripe_at_or_before\":100")).containsExactly("escaped", "exact");
    }

    @Test
    void keys_given_areTheOnlyOnes() {
        write(upsert("a", "1"), upsert("b", "1"), upsert("c", "1"));
        assertThat(keys(",\"keys\":[\"c\",\"a\",\"a\",\"x\"]")).containsExactly("a", "c");
        assertThat(keys(",\"keys\":[],\"key_prefix\":null,\"ripe_at_or_before\":null"))
                .containsExactly("a", "b", "c");
        assertThat(keys(",\"keys\":[\"a\",\"b\"],\"key_prefix\":\"b\"")).containsExactly("b");
    }

    @Test
    void operations_onOneKey_applyInOrder() {
        cycle(
                        query,
                        partition,
                        ops(
                                upsert("a", "1"),
                                delete("a"),
                                upsert("b", "1"),
                                upsert("b", "2"),
                                delete("c"),
                                upsert("c", "3"),
                                "{\"type\":\"upsert\",\"key\":\"d\"}"))
                .body("success", equalTo(true))
                .body("state_ops_applied", equalTo(7));
        state(query, partition, "")
                .body("rows.key", equalTo(List.of("b", "c", "d")))
                .body("rows[0].value", equalTo(2))
                .body("rows[2].value", equalTo(java.util.Map.of()));
        assertThat(sql.row("select keys, bytes, cycles from queen.stream_partitions where query_id = ?", query)
                        .values())
                .containsExactly(3L, 7L, 1L);
        write(delete("b"), delete("c"), delete("d"), delete("nothing"));
        assertThat(sql.row("select keys, bytes from queen.stream_partitions where query_id = ?", query)
                        .values())
                .containsExactly(0L, 0L);
    }

    @Test
    void state_ofAnotherQueryOrPartition_isEmpty() {
        write(upsert("a", "1"));
        state(Streams.query(partitions.queue(partition)), partition, "")
                .statusCode(200)
                .body("rows", empty());
        state(query, UUID.randomUUID(), "").statusCode(200).body("rows", empty());
        state(UUID.randomUUID(), partition, "").statusCode(200).body("rows", empty());
    }

    @Test
    void state_tooLargeForAnAnswer_isRefusedUnlessNarrowed() {
        String value = "{\"windowEnd\":1,\"x\":\"" + "x".repeat(3_000_000) + "\"}";
        for (int i = 0; i < 6; i++) {
            write(upsert("k" + i, value));
        }
        state(query, partition, "").statusCode(400).body("error", containsString("key_prefix"));
        state(query, partition, ",\"key_prefix\":\"k\"").statusCode(400).body("error", containsString("keys"));
        assertThat(keys(",\"keys\":[\"k4\",\"k5\"]")).containsExactly("k4", "k5");
        assertThat(keys(",\"ripe_at_or_before\":1")).hasSize(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"partition_id\":\"00000000-0000-0000-0000-000000000001\"} | query_id",
                "{\"query_id\":\"00000000-0000-0000-0000-000000000001\"} | partition_id",
                "{\"query_id\":7} | query_id",
                "{\"query_id\":\"x\"} | query_id",
                "{\"keys\":\"a\"} | keys",
                "{\"keys\":[7]} | keys[0]",
                "{\"key_prefix\":7} | key_prefix",
                "{\"ripe_at_or_before\":\"7\"} | ripe_at_or_before",
                "{\"ripe_at_or_before\":true} | ripe_at_or_before",
                "7 | query_id"
            })
    void state_badBody_isRefusedWithTheField(String body, String field) {
        post("/streams/v1/state/get", body).statusCode(400).body("error", containsString(field));
    }

    private void write(String... operations) {
        cycle(query, partition, ops(operations)).body("success", equalTo(true));
    }

    private List<String> keys(String filter) {
        return new ArrayList<>(
                state(query, partition, filter).statusCode(200).extract().<List<String>>path("rows.key"));
    }
}
