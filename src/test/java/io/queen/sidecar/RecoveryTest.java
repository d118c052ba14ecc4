package io.queen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecoveryTest {

    @ParameterizedTest
    @ValueSource(strings = {"57P01", "57P02", "57P03", "57P05", "08006", "08003"})
    void of_connectionLost_isSentAgain(String state) {
        assertThat(Recovery.of(postgres(state), 5, 0)).isEqualTo(Recovery.RESEND);
        assertThat(Recovery.connectionLost(postgres(state))).isTrue();
    }

    @Test
    void of_socketClosed_isSentAgain() {
        assertThat(Recovery.of(new IOException("reset"), 5, 0)).isEqualTo(Recovery.RESEND);
        assertThat(Recovery.of(new VertxException("closed", true), 1, 3)).isEqualTo(Recovery.RESEND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40P01", "40001"})
    void of_passingReason_isRetriedOnTheSameConnection(String state) {
        assertThat(Recovery.of(postgres(state), 5, 0)).isEqualTo(Recovery.RETRY);
        assertThat(Recovery.connectionLost(postgres(state))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"22021", "22P02", "23505", "23503", "54000", "QU001"})
    void of_badData_isTakenApart(String state) {
        assertThat(Recovery.of(postgres(state), 2, 4)).isEqualTo(Recovery.SPLIT);
        assertThat(Recovery.of(postgres(state), 1, 0)).isEqualTo(Recovery.FAIL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"57014", "42883", "XX000", "53200", "2", ""})
    void of_anythingElse_isTold(String state) {
        assertThat(Recovery.of(postgres(state), 5, 0)).isEqualTo(Recovery.FAIL);
    }

    @ParameterizedTest
    @CsvSource({"5, 0", "1, 0", "1, 9", "5, 40"})
    void of_lockTimeout_setsAsideWhoNeedsTheLock(int size, int attempts) {
        assertThat(Recovery.of(postgres("55P03"), size, attempts)).isEqualTo(Recovery.SET_ASIDE);
    }

    @Test
    void ofUnknownLock_several_areTakenApartAndALoneOneWaitsForAsLongAsItMay() {
        assertThat(Recovery.ofUnknownLock(2, false)).isEqualTo(Recovery.SPLIT);
        assertThat(Recovery.ofUnknownLock(2, true)).isEqualTo(Recovery.SPLIT);
        assertThat(Recovery.ofUnknownLock(1, false)).isEqualTo(Recovery.SET_ASIDE);
        assertThat(Recovery.ofUnknownLock(1, true)).isEqualTo(Recovery.FAIL);
    }

    @Test
    void of_fifthAttempt_isTold() {
        assertThat(Recovery.of(postgres("40P01"), 5, 3)).isEqualTo(Recovery.RETRY);
        assertThat(Recovery.of(postgres("40P01"), 5, 4)).isEqualTo(Recovery.FAIL);
        assertThat(Recovery.of(new IOException("reset"), 5, 4)).isEqualTo(Recovery.FAIL);
    }

    @Test
    void of_ownMistake_isTold() {
        assertThat(Recovery.of(new IllegalStateException("bug"), 5, 0)).isEqualTo(Recovery.FAIL);
    }

    @Test
    void of_postgresWithoutState_isTold() {
        assertThat(Recovery.of(postgres(null), 5, 0)).isEqualTo(Recovery.FAIL);
    }

    private static PgException postgres(String state) {
        return new PgException("told by the test", "ERROR", state, null);
    }
}
