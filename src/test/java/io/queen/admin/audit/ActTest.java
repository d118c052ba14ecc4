package io.queen.admin.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ActTest {
    private static final String HOSTILE =
            "x\r\n12:00:00 INFO [Audit] {\"act\":\"other\"}\u0000\u0007\u001b[2J\u007f\u0085\u2028\u2029\u202e\"\\ü😀";

    @Test
    void line_hostileTexts_isOneLineOfPrintableAscii() {
        Act act = new Act(
                UUID.randomUUID(),
                OffsetDateTime.MIN,
                HOSTILE,
                200,
                HOSTILE,
                HOSTILE,
                HOSTILE,
                HOSTILE,
                HOSTILE,
                HOSTILE,
                HOSTILE,
                HOSTILE,
                "{\n\"a\":1}");
        String line = act.line();
        assertThat(line).matches("[ -~]+");
        JsonObject read = new JsonObject(line);
        assertThat(read.getString("queue")).isEqualTo(HOSTILE);
        assertThat(read.getString("subject")).isEqualTo(HOSTILE);
        assertThat(read.getString("details")).isEqualTo("{\n\"a\":1}");
    }

    @Test
    void line_withoutObject_hasNoEmptyFields() {
        Act act = new Act(
                UUID.randomUUID(), OffsetDateTime.MIN, "a", 200, null, null, "::1", null, null, null, null, null, null);
        assertThat(act.line()).isEqualTo("{\"act\":\"a\",\"status\":200,\"address\":\"::1\"}");
    }

    @Test
    void object_pathBodyAndQuery_inThisOrder() {
        ActObject object =
                object(Map.of("a", "path"), Map.of("a", "q", "b", "q", "c", "q"), "{\"a\":\"y\",\"b\":\"y\"}");
        assertThat(object.text("a")).isEqualTo("path");
        assertThat(object.text("b")).isEqualTo("y");
        assertThat(object.text("none", "c")).isEqualTo("q");
        assertThat(object.text("none")).isNull();
    }

    @Test
    void object_onlyTheOutermostTexts_count() {
        ActObject object =
                object(Map.of(), Map.of(), "{\"options\":{\"queue\":\"in\"},\"n\":[{\"queue\":1}],\"queue\":\"out\"}");
        assertThat(object.text("queue")).isEqualTo("out");
        assertThat(object.text("n")).isNull();
    }

    @Test
    void object_longBody_isReadAndNotKept() {
        ActObject object = object(Map.of(), Map.of(), " ".repeat(5000) + "{\"queue\":\"q\"}");
        assertThat(object.text("queue")).isEqualTo("q");
        assertThat(object.details()).isNull();
    }

    @Test
    void object_withAPayload_isToldByItsNameAlone() {
        assertThat(object(Map.of("name", "s"), Map.of(), "{\"queue\":\"q\",\"payload\":{\"secret\":1}}")
                        .details())
                .isEqualTo("s");
        assertThat(object(Map.of("name", "s"), Map.of(), "{\"days\":1}").details())
                .isEqualTo("s {\"days\":1}");
    }

    @Test
    void object_brokenBody_givesWhatStandsBefore() {
        for (String body :
                new String[] {"{\"queue\":\"q\",", "{\"queue\":\"q\"} x", "{\"queue\":\"q\",\"x\":\u0001}"}) {
            ActObject object = object(Map.of(), Map.of(), body);
            assertThat(object.text("queue")).isEqualTo("q");
            assertThat(object.details()).isNull();
        }
        assertThat(object(Map.of(), Map.of(), "").details()).isNull();
        assertThat(object(Map.of(), Map.of(), "[]").details()).isEqualTo("[]");
    }

    @Test
    void clean_whatPostgresCantHold_isReplaced() {
        assertThat(ActObject.clean("a\u0000b\ud800c😀")).isEqualTo("a?b?c😀");
        assertThat(ActObject.clean("x".repeat(1000))).hasSize(255);
        assertThat(ActObject.clean(null)).isNull();
    }

    @Test
    void object_fieldThatIsNotAskedFor_isNotKept() {
        ActObject object = object(Map.of(), Map.of(), "{\"other\":\"x\",\"queue\":\"q\"}");
        assertThat(object.text("other")).isNull();
        assertThat(object.text("queue")).isEqualTo("q");
    }

    private static ActObject object(Map<String, String> path, Map<String, String> query, String body) {
        return new ActObject(
                Set.of("a", "b", "c", "n", "none", "queue"),
                path::get,
                query::get,
                body.getBytes(StandardCharsets.UTF_8));
    }
}
