package io.queen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchFailureDecisionTest {

    @ParameterizedTest
    @ValueSource(strings = {"57P01", "57P02", "57P03", "57P05", "08006", "08003"})
    void of_connectionLost_isSentAgain(String state) {
        assertThat(BatchFailureDecision.of(postgres(state), 5, 0)).isEqualTo(BatchFailureDecision.RESEND);
    }

    @Test
    void of_socketClosed_isSentAgain() {
        assertThat(BatchFailureDecision.of(new IOException("reset"), 5, 0)).isEqualTo(BatchFailureDecision.RESEND);
        assertThat(BatchFailureDecision.of(new VertxException("closed", true), 1, 3))
                .isEqualTo(BatchFailureDecision.RESEND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40P01", "40001"})
    void of_passingReason_isRetriedOnTheSameConnection(String state) {
        assertThat(BatchFailureDecision.of(postgres(state), 5, 0)).isEqualTo(BatchFailureDecision.RETRY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"22021", "22P02", "23505", "23503", "54000", "QU001"})
    void of_badData_isTakenApart(String state) {
        assertThat(BatchFailureDecision.of(postgres(state), 2, 4)).isEqualTo(BatchFailureDecision.SPLIT);
        assertThat(BatchFailureDecision.of(postgres(state), 1, 0)).isEqualTo(BatchFailureDecision.FAIL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"57014", "42883", "XX000", "53200", "2", ""})
    void of_anythingElse_isTold(String state) {
        assertThat(BatchFailureDecision.of(postgres(state), 5, 0)).isEqualTo(BatchFailureDecision.FAIL);
    }

    @ParameterizedTest
    @CsvSource({"5, 0", "1, 0", "1, 9", "5, 40"})
    void of_lockTimeout_setsAsideRequestsThatNeedTheLock(int size, int attempts) {
        assertThat(BatchFailureDecision.of(postgres("55P03"), size, attempts))
                .isEqualTo(BatchFailureDecision.WAIT_FOR_LOCK);
    }

    @Test
    void ofUnknownLock_several_areTakenApartAndALoneOneWaitsForAsLongAsItMay() {
        assertThat(BatchFailureDecision.ofUnknownLock(2, true)).isEqualTo(BatchFailureDecision.SPLIT);
        assertThat(BatchFailureDecision.ofUnknownLock(2, false)).isEqualTo(BatchFailureDecision.SPLIT);
        assertThat(BatchFailureDecision.ofUnknownLock(1, true)).isEqualTo(BatchFailureDecision.WAIT_FOR_LOCK);
        assertThat(BatchFailureDecision.ofUnknownLock(1, false)).isEqualTo(BatchFailureDecision.FAIL);
    }

    @Test
    void of_fifthAttempt_isTold() {
        assertThat(BatchFailureDecision.of(postgres("40P01"), 5, 3)).isEqualTo(BatchFailureDecision.RETRY);
        assertThat(BatchFailureDecision.of(postgres("40P01"), 5, 4)).isEqualTo(BatchFailureDecision.FAIL);
        assertThat(BatchFailureDecision.of(new IOException("reset"), 5, 4)).isEqualTo(BatchFailureDecision.FAIL);
    }

    @Test
    void of_ownMistake_isTold() {
        assertThat(BatchFailureDecision.of(new IllegalStateException("bug"), 5, 0))
                .isEqualTo(BatchFailureDecision.FAIL);
    }

    @Test
    void of_postgresWithoutState_isTold() {
        assertThat(BatchFailureDecision.of(postgres(null), 5, 0)).isEqualTo(BatchFailureDecision.FAIL);
    }

    private static PgException postgres(String state) {
        return new PgException("told by the test", "ERROR", state, null);
    }
}
