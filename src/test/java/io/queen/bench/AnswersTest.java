package io.queen.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What is read from answers, with spaces and fields as other servers write them. */
class AnswersTest {
    @Test
    void popped_messages_areReadWithWhatAcksNeed() throws IOException {
        Popped popped = Popped.read("g", bytes("""
                {"success": true, "partitionId": "top", "extra": {"messages": [1]},
                 "messages": [
                  {"id": "1", "transactionId": "t-1", "traceId": null, "data": {"x": {"n": 9}, "n": 7, "m": [1]},
                   "partitionId": "p-1", "leaseId": "l-1"},
                  {"data": [1, {"n": 3}], "transactionId": "t-2", "partitionId": "p-1", "leaseId": "l-1"}],
                 "more": []}"""));
        assertThat(popped.messages())
                .containsExactly(
                        new Popped.Message("t-1", "p-1", "l-1", 7), new Popped.Message("t-2", "p-1", "l-1", -1));
    }

    @Test
    void popped_nothing_isEmpty() throws IOException {
        assertThat(Popped.read("g", bytes("")).isEmpty()).isTrue();
        assertThat(Popped.read("g", bytes("{\"success\":false,\"error\":\"lease_held\",\"messages\":[]}"))
                        .isEmpty())
                .isTrue();
    }

    @Test
    void push_oneItemNotQueued_isAProblem() {
        Answer answer = answer(200, "[{\"status\":\"queued\"},{\"status\": \"failed\", \"error\":\"no\"}]");
        assertThat(answer.pushProblem(2)).isEqualTo("1 of 2 items without status queued");
        assertThat(answer(201, "[{\"status\":\"queued\"}]").pushProblem(1)).isNull();
    }

    @Test
    void ack_itemRefused_isAProblem() {
        assertThat(answer(200, "[{\"success\": true},{\"success\":false}]").ackProblem(2))
                .isEqualTo("1 of 2 items without success true");
    }

    @Test
    void transaction_undone_isAProblemWithItsReason() {
        assertThat(answer(200, "{\"success\":true,\"results\":[]}").transactionProblem())
                .isNull();
        assertThat(answer(200, "{\"success\":false,\"error\":\"lost lease\"}").transactionProblem())
                .contains("lost lease");
    }

    @Test
    void problem_errorAnswer_namesStatusAndReason() {
        assertThat(answer(503, "{\"error\":\"try again\"}").problem()).isEqualTo("HTTP 503: try again");
        assertThat(answer(502, "<html>").problem()).isEqualTo("HTTP 502");
        assertThat(Answer.failed("gone").problem()).isEqualTo("gone");
    }

    private static Answer answer(int status, String body) {
        return new Answer(status, bytes(body), null);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
