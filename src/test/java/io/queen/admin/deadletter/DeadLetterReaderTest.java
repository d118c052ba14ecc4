package io.queen.admin.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.message.QueenException;
import io.queen.web.RangeQuery;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterReaderTest {
    private final DeadLetterQuery query = new DeadLetterQuery();
    private final RangeQuery failed = new RangeQuery();
    private final RedriveQuery how = new RedriveQuery();
    private final DryRunQuery dry = new DryRunQuery();

    @BeforeEach
    void fill() {
        query.queue = "a";
        query.partition = "p";
        failed.from = "1h ago";
    }

    @Test
    void body_given_countsOverTheQuery() {
        read("{\"queue\":\"b\",\"consumerGroup\":\"g\",\"to\":\"2025-12-01\",\"partition\":null}");
        assertThat(query.queue).isEqualTo("b");
        assertThat(query.partition).isEqualTo("p");
        assertThat(query.consumerGroup).isEqualTo("g");
        assertThat(failed.from).isEqualTo("1h ago");
        assertThat(failed.to).isEqualTo("2025-12-01");
    }

    @Test
    void body_allGroups_countsOverTheQuery() {
        how.allGroups = "true";
        read("{\"allGroups\":false}");
        assertThat(how.toAllGroups()).isFalse();
    }

    @Test
    void body_errorAndDryRun_countOverTheQuery() {
        query.error = "other";
        read("{\"error\":\"timed out\",\"dryRun\":true}");
        assertThat(query.error).isEqualTo("timed out");
        assertThat(dry.asked()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]"})
    void body_empty_leavesTheQuery(String body) {
        read(body);
        assertThat(query.queue).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"queue\":1}", "7", "[1]", "{\"from\":[]}", "{\"allGroups\":\"yes\"}", "{\"dryRun\":7}"})
    void body_wrong_isRefused(String body) {
        assertThatThrownBy(() -> read(body)).isInstanceOf(QueenException.class);
    }

    private void read(String body) {
        DeadLetterReader.read(body.getBytes(UTF_8), query, failed, how, dry);
    }
}
