package io.queen.pop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.config.QueenConfig;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.message.QueenException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PopQueryTest {
    private static final PopTarget QUEUE = new PopTarget.Queue("q");
    private final PopQuery query = new PopQuery();

    private static QueenConfig.Pop config(String mode) {
        Map<String, Object> values = Map.of(
                "defaultTimeout", 30_000,
                "maxTimeout", 120_000,
                "defaultBatch", 7,
                "maxBatch", 10_000,
                "defaultSubscriptionMode", mode);
        return (QueenConfig.Pop) Proxy.newProxyInstance(
                PopQueryTest.class.getClassLoader(),
                new Class<?>[] {QueenConfig.Pop.class},
                (proxy, method, arguments) -> values.get(method.getName()));
    }

    private PopRequest request() {
        return query.request(QUEUE, config("all"));
    }

    @Test
    void request_nothingGiven_hasDefaults() {
        PopRequest request = request();
        assertThat(request.batch()).isEqualTo(7);
        assertThat(request.partitions()).isEqualTo(1);
        assertThat(request.consumerGroup()).isEqualTo("__QUEUE_MODE__");
        assertThat(request.autoAck()).isFalse();
        assertThat(request.subscription()).isNull();
        assertThat(query.waitMillis(config("all"))).isZero();
    }

    @ParameterizedTest
    @CsvSource({"5, 5", "0, 1", "-3, 1", "'', 7", "' 4', 4", "+6, 6", "99999, 10000", "99999999999999, 10000"})
    void batch_anyNumber_isBetweenOneAndTheMost(String text, int batch) {
        query.batch = text;
        assertThat(request().batch()).isEqualTo(batch);
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "0, 1", "-1, 1", "100, 7"})
    void partitions_anyNumber_isBetweenOneAndTheBatch(String text, int partitions) {
        query.partitions = text;
        assertThat(request().partitions()).isEqualTo(partitions);
    }

    @Test
    void partitions_onePartitionNamed_isOne() {
        query.partitions = "5";
        assertThat(query.request(new PopTarget.Partition("q", "p"), config("all"))
                        .partitions())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "1, true", "True, true", "false, false", "FALSE, false", "0, false", "'', false"})
    void autoAck_aFlag_isRead(String text, boolean value) {
        query.autoAck = text;
        assertThat(request().autoAck()).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "batch, abc",
        "batch, 12abc",
        "batch, 1.5",
        "batch, 1e3",
        "batch, '  '",
        "partitions, x",
        "wait, maybe",
        "autoAck, yes",
        "timeout, 1s",
        "timeout, -"
    })
    void value_doesNotParse_isRefusedByName(String name, String value) throws ReflectiveOperationException {
        PopQuery.class.getDeclaredField(name).set(query, value);
        assertThatThrownBy(() -> {
                    request();
                    query.waitMillis(config("all"));
                })
                .isInstanceOfSatisfying(
                        QueenException.class, e -> assertThat(e.field()).isEqualTo(name));
    }

    @Test
    void partitions_onePartitionNamedAndNoNumber_isRefused() {
        query.partitions = "x";
        assertThatThrownBy(() -> query.request(new PopTarget.Partition("q", "p"), config("all")))
                .isInstanceOf(QueenException.class);
    }

    @ParameterizedTest
    @CsvSource({"500, 500", "'', 30000", "0, 0", "-5, 0", "999999999, 120000"})
    void timeout_waiting_isClamped(String text, long millis) {
        query.wait = "true";
        query.timeout = text;
        assertThat(query.waitMillis(config("all"))).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"new", "new-only"})
    void subscriptionMode_new_isFromNow(String mode) {
        query.subscriptionMode = mode;
        assertThat(request().subscription().isNew()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"all", "from_beginning", "whatever", ""})
    void subscriptionMode_anythingElse_isAll(String mode) {
        query.subscriptionMode = mode;
        assertThat(request().subscription()).isNull();
    }

    @Test
    void subscriptionMode_absentAndDefaultNew_isNew() {
        assertThat(query.request(QUEUE, config("new")).subscription().isNew()).isTrue();
        query.subscriptionMode = "all";
        assertThat(query.request(QUEUE, config("new")).subscription()).isNull();
    }

    @Test
    void subscriptionFrom_given_winsOverTheMode() {
        query.subscriptionMode = "new";
        query.subscriptionFrom = "2025-12-01";
        assertThat(request().subscription().time().toInstant()).isEqualTo(Instant.parse("2025-12-01T00:00:00Z"));
        query.subscriptionMode = "all";
        query.subscriptionFrom = "now";
        assertThat(request().subscription().isNew()).isTrue();
    }

    @Test
    void subscriptionFrom_noTime_isRefused() {
        query.subscriptionFrom = "soon";
        assertThatThrownBy(this::request).isInstanceOf(QueenException.class);
    }

    @Test
    void consumerGroup_empty_isAbsent() {
        query.consumerGroup = "";
        assertThat(request().consumerGroup()).isEqualTo("__QUEUE_MODE__");
        query.consumerGroup = "billing";
        assertThat(request().consumerGroup()).isEqualTo("billing");
    }

    @Test
    void consumerGroup_tooLong_isRefused() {
        query.consumerGroup = "g".repeat(256);
        assertThatThrownBy(this::request).isInstanceOf(QueenException.class).hasMessageContaining("consumerGroup");
    }
}
