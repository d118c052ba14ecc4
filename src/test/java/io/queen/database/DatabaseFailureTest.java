package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.net.ConnectException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseFailureTest {

    static Stream<Throwable> lost() {
        return Stream.of(
                new ConnectException("refused"),
                new VertxException("Connection closed", true),
                new TimeoutException(),
                new io.smallrye.mutiny.TimeoutException());
    }

    @ParameterizedTest
    @MethodSource("lost")
    void translate_connectionLost_isUnavailable(Throwable failure) {
        assertThat(code(failure)).isEqualTo(ErrorCode.DATABASE_UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"08006", "57P01", "57P03", "53300", "25006", "28P01"})
    void translate_databaseAway_isUnavailable(String state) {
        assertThat(code(answer(state))).isEqualTo(ErrorCode.DATABASE_UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"57014", "55P03", "40P01", "40001"})
    void translate_databaseBusy_isOverloaded(String state) {
        assertThat(code(answer(state))).isEqualTo(ErrorCode.OVERLOADED);
    }

    @Test
    void translate_unknown_staysAsItIs() {
        PgException failure = answer("42P01");
        assertThat(DatabaseFailure.translate(failure)).isSameAs(failure);
    }

    @Test
    void translate_translated_staysAsItIs() {
        QueenException failure = QueenException.missing("queue");
        assertThat(DatabaseFailure.translate(failure)).isSameAs(failure);
    }

    private static ErrorCode code(Throwable failure) {
        assertThat(DatabaseFailure.translate(failure)).isInstanceOf(QueenException.class);
        return ((QueenException) DatabaseFailure.translate(failure)).code();
    }

    private static PgException answer(String state) {
        return new PgException("told by the test", "ERROR", state, null);
    }
}
