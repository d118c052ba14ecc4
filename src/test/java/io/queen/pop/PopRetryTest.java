package io.queen.pop;

import static io.queen.testing.Pops.data;
import static io.queen.testing.Pops.pop;
import static io.queen.testing.Pops.push;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.embedded.TestPostgres;
import io.queen.testing.Pops;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failed deliveries, and where they end. */
@QuarkusTest
class PopRetryTest {
    private final String queue = Pops.queue();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void failed_retriesUsedUp_isDeadLetteredAndTheNextOneComes(int limit) throws SQLException {
        Pops.configure(queue, Map.of("retryLimit", limit));
        push(queue, "p", 1, 2);
        for (int delivery = 0; delivery <= limit; delivery++) {
            assertThat(deadLetters()).isEmpty();
            Response response = pop(queue, "consumerGroup", "g");
            assertThat(data(response)).containsExactly(1);
            assertThat(Pops.message(response, 0).getInteger("retryCount")).isEqualTo(delivery);
            Pops.ack(response, "failed");
        }
        assertThat(deadLetters()).containsExactly("t1 because");
        Response next = pop(queue, "consumerGroup", "g");
        assertThat(data(next)).containsExactly(2);
        assertThat(Pops.message(next, 0).getInteger("retryCount")).isZero();
        assertThat(data(pop(queue, "consumerGroup", "other"))).containsExactly(1);
    }

    @Test
    void failed_thenCompleted_isNotDeadLettered() throws SQLException {
        push(queue, "p", 1);
        Pops.ack(pop(queue), "failed");
        Pops.ack(pop(queue), "failed");
        Pops.ack(pop(queue), "completed");
        assertThat(pop(queue).statusCode()).isEqualTo(204);
        assertThat(deadLetters()).isEmpty();
    }

    @Test
    void failed_batch_isRedeliveredInOrder() {
        push(queue, "p", 1, 2, 3);
        Pops.ack(pop(queue, "batch", 3), "failed");
        assertThat(data(pop(queue, "batch", 3))).containsExactly(1, 2, 3);
    }

    @Test
    void failed_withRetryDelay_waitsAndKeepsTheOrder() {
        Pops.configure(queue, Map.of("retryDelay", 2000));
        push(queue, "p", 1, 2);
        Pops.ack(pop(queue, "batch", 2), "failed");
        push(queue, "p", 3);
        assertThat(pop(queue, "batch", 3).statusCode()).isEqualTo(204);
        assertThat(data(pop(queue, "batch", 3, "wait", true, "timeout", 60_000)))
                .containsExactly(1, 2, 3);
    }

    @Test
    void retry_withRetryDelay_comesAtOnce() {
        Pops.configure(queue, Map.of("retryDelay", 3_600_000));
        push(queue, "p", 1);
        Pops.ack(pop(queue), "retry");
        assertThat(data(pop(queue))).containsExactly(1);
    }

    @Test
    void dlq_status_deadLettersAtOnce() throws SQLException {
        push(queue, "p", 1, 2);
        Pops.ack(pop(queue), "dlq");
        assertThat(deadLetters()).containsExactly("t1 because");
        assertThat(data(pop(queue))).containsExactly(2);
    }

    @Test
    void retry_status_countsNothing() {
        push(queue, "p", 1);
        Pops.ack(pop(queue), "retry");
        assertThat(Pops.message(pop(queue), 0).getInteger("retryCount")).isZero();
    }

    private List<String> deadLetters() throws SQLException {
        String sql = "select d.transaction_id || ' ' || d.error_message from queen.dead_letters d"
                + " join queen.partitions p on p.id = d.partition_id join queen.queues q on q.id = p.queue_id"
                + " where q.name = ? order by d.seq";
        try (Connection connection = TestPostgres.shared().connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, queue);
            List<String> letters = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    letters.add(rows.getString(1));
                }
            }
            return letters;
        }
    }
}
