package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostsTest {
    private static final DatabaseAddress.Host A = new DatabaseAddress.Host("a", 5432);
    private static final DatabaseAddress.Host B = new DatabaseAddress.Host("b", 5433);

    @Test
    void pass_current_goesOnToTheNextAndRound() {
        Hosts hosts = new Hosts(List.of(A, B));
        assertThat(hosts.current()).isEqualTo(A);
        hosts.pass(A);
        assertThat(hosts.current()).isEqualTo(B);
        hosts.pass(B);
        assertThat(hosts.current()).isEqualTo(A);
    }

    @Test
    void pass_saidByManyAtOnce_goesOnOnce() {
        Hosts hosts = new Hosts(List.of(A, B));
        hosts.pass(A);
        hosts.pass(A);
        assertThat(hosts.current()).isEqualTo(B);
    }

    @Test
    void pass_onlyOne_stays() {
        Hosts hosts = new Hosts(List.of(A));
        hosts.pass(A);
        assertThat(hosts.current()).isEqualTo(A);
    }
}
