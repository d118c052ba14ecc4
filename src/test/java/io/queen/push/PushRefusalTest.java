package io.queen.push;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.post;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad pushes: each is told by field and index, and nothing of it is stored. */
@QuarkusTest
class PushRefusalTest {
    private static final String PUSH = "/api/v1/push";

    private final Sql sql = Sql.open();
    private final String queue = Partitions.name("refused");

    @AfterEach
    void nothingIsStored() {
        assertThat(sql.number("select count(*) from queen.queues where name = ?", queue))
                .isZero();
        sql.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|items[1].queue|MISSING_FIELD",
                "{\"queue\":7}|items[1].queue|INVALID_FIELD",
                "{\"queue\":\"q\",\"partition\":7}|items[1].partition|INVALID_FIELD",
                "{\"queue\":\"q\",\"transactionId\":{}}|items[1].transactionId|INVALID_FIELD",
                "{\"queue\":\"q\",\"traceId\":\"not-a-uuid\"}|items[1].traceId|INVALID_FIELD",
                "{\"queue\":\"a\\u0000b\"}|items[1].queue|INVALID_FIELD",
                "{\"queue\":\"q\",\"transactionId\":\"\\ud800\"}|items[1].transactionId|INVALID_FIELD",
                "{\"queue\":\"q\",\"payload\":{\"a\":nul}}|items[1].payload.a|INVALID_JSON",
                "[]|items[1]|INVALID_FIELD"
            })
    void item_bad_isToldByFieldAndIndex(String bad, String field, String code) {
        post(PUSH, "{\"items\":[" + item(queue, "p", "t", "1") + "," + bad + "]}")
                .statusCode(400)
                .contentType("application/json")
                .body("code", equalTo(code))
                .body("field", equalTo(field))
                .body("error", org.hamcrest.Matchers.containsString(field));
    }

    @ParameterizedTest
    @CsvSource({"queue", "partition", "transactionId"})
    void name_tooLong_isTold(String field) {
        String bad = "{\"queue\":\"q\",\"" + field + "\":\"" + "n".repeat(256) + "\"}";
        post(PUSH, "{\"items\":[" + item(queue, "p", "t", "1") + "," + bad + "]}")
                .statusCode(400)
                .body("field", equalTo("items[1]." + field));
    }

    @Test
    void utf8_broken_isTold() {
        byte[] body = ("{\"items\":[" + item(queue, "p", "t", "\"\u00ff\"") + "]}").getBytes(ISO_8859_1);
        post(PUSH, body).statusCode(400).body("field", equalTo("items[0].payload"));
    }

    @Test
    void utf16_body_isTold() {
        byte[] body =
                ("{\"items\":[" + item(queue, "p", "t", "1") + "]}").getBytes(java.nio.charset.StandardCharsets.UTF_16);
        post(PUSH, body).statusCode(400).body("code", equalTo("INVALID_JSON"));
    }

    @Test
    void nesting_tooDeep_isTold() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        post(PUSH, "{\"items\":[" + item(queue, "p", "t", deep) + "]}")
                .statusCode(400)
                .body("field", startsWith("items[0].payload"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|MISSING_FIELD",
                "[]|MISSING_FIELD",
                "{\"items\":{}}|INVALID_FIELD",
                "{\"items\":null}|INVALID_FIELD",
                "{\"items\":[|INVALID_JSON",
                "{\"items\":[]}}|INVALID_JSON",
                "nonsense|INVALID_JSON"
            })
    void body_bad_isTold(String body, String code) {
        post(PUSH, body).statusCode(400).body("code", equalTo(code));
    }

    @Test
    void body_empty_isTold() {
        post(PUSH, "").statusCode(400).body("code", equalTo("EMPTY_BODY"));
    }

    @Test
    void body_hundredMegabytes_isTooLarge() {
        post(PUSH, new byte[100 * 1024 * 1024]).statusCode(413).body("code", equalTo("BODY_TOO_LARGE"));
    }

    @Test
    void body_truncated_isTold() {
        String whole = "{\"items\":[" + item(queue, "p", "t", "{\"a\":[1,2]}") + "]}";
        for (int length = 1; length < whole.length(); length += 7) {
            post(PUSH, whole.substring(0, length)).statusCode(400);
        }
    }
}
