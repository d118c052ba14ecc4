package io.queen.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.security.TokenCheck.Checked;
import io.queen.testing.TestTokens;
import java.security.Key;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckedTokensTest {
    private static final Caller CALLER = new Caller("ann", Level.READ_WRITE, Rights.ALL, null);
    private static final Key KEY = TestTokens.secret();

    private long now = 1_000_000;
    private final CheckedTokens tokens = new CheckedTokens(100, () -> now);

    @Test
    void token_remembered_isFoundUntilItsEnd() {
        CheckedTokens.Hash hash = tokens.hash("a.b.c");
        tokens.remember(hash, new Checked(CALLER, KEY, 1010));
        now = 1_009_999;
        assertThat(tokens.find(tokens.hash("a.b.c"))).isEqualTo(CALLER);
        assertThat(tokens.find(tokens.hash("a.b.d"))).isNull();
        now = 1_010_000;
        assertThat(tokens.find(hash)).isNull();
        assertThat(tokens.size()).isZero();
    }

    @Test
    void tokens_tooMany_areBounded() {
        for (int i = 0; i < 10_000; i++) {
            tokens.remember(tokens.hash("token " + i), new Checked(CALLER, KEY, Long.MAX_VALUE / 1000));
        }
        assertThat(tokens.size()).isLessThanOrEqualTo(100);
    }

    @Test
    void tokens_ofAKeyThatIsGone_areForgotten() {
        Key other = TestTokens.RSA.getPublic();
        tokens.remember(tokens.hash("kept"), new Checked(CALLER, KEY, 2000));
        tokens.remember(tokens.hash("gone"), new Checked(CALLER, other, 2000));
        tokens.forgetAllBut(new KeyRing(TestTokens.secret(), null, List.of()));
        assertThat(tokens.find(tokens.hash("kept"))).isEqualTo(CALLER);
        assertThat(tokens.find(tokens.hash("gone"))).isNull();
    }
}
