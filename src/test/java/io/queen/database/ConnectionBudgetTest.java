package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.config.SettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionBudgetTest {

    @ParameterizedTest
    @CsvSource({
        // part, listens, general pool, sidecar pool → general, sidecar
        "2147483647, true, 10, 16, 10, 16",
        "27, true, 10, 16, 6, 16",
        "10, true, 10, 16, 2, 6",
        "10, false, 10, 16, 2, 7",
        "4, true, 10, 16, 1, 1",
        "40, true, 2, 4, 2, 4",
    })
    void split_always_keepsToThePart(int part, boolean listens, int pool, int sidecars, int general, int sidecar) {
        ConnectionBudget budget = ConnectionBudget.split(part, listens, pool, sidecars);
        assertThat(budget).isEqualTo(new ConnectionBudget(listens ? 2 : 1, general, sidecar, part));
        assertThat((long) budget.total()).isLessThanOrEqualTo(part);
    }

    @Test
    void requireFor_moreLoopsThanConnections_saysWhatToChange() {
        ConnectionBudget budget = ConnectionBudget.split(6, true, 10, 16);
        assertThatCode(() -> budget.requireFor(3)).doesNotThrowAnyException();
        assertThatThrownBy(() -> budget.requireFor(4))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("6 connections, of which 3 are for messages")
                .hasMessageContaining("NUM_WORKERS");
    }

    @Test
    void describe_always_saysHowManyAndWhatFor() {
        assertThat(ConnectionBudget.split(Integer.MAX_VALUE, true, 10, 16).describe())
                .isEqualTo("28 (16 for messages, 10 for all else, 2 to watch)");
    }

    @Test
    void requireFor_noLimit_allowsAnyNumber() {
        assertThatCode(() ->
                        ConnectionBudget.split(Integer.MAX_VALUE, true, 10, 2).requireFor(64))
                .doesNotThrowAnyException();
    }
}
