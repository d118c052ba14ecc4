package io.queen.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RightsTest {
    private static Rights read(String claim) throws JoseException {
        return Rights.read(JsonUtil.parseJson("{\"c\":" + claim + "}").get("c"), "c");
    }

    private static Set<Right> given(String claim, String queue) throws JoseException {
        Rights rights = read(claim);
        return EnumSet.allOf(Right.class).stream()
                .filter(right -> rights.of(right).has(queue))
                .collect(Collectors.toSet());
    }

    @Test
    void claim_withThreeLists_givesEachRightOnItsQueues() throws JoseException {
        String claim = "{\"produce\":[\"orders.*\"],\"consume\":[\"mail\"],\"manage\":\"logs.*\"}";
        assertThat(given(claim, "orders.new")).containsExactlyInAnyOrder(Right.PRODUCE, Right.SEE);
        assertThat(given(claim, "mail")).containsExactlyInAnyOrder(Right.CONSUME, Right.READ, Right.SEE);
        assertThat(given(claim, "logs.a")).containsExactlyInAnyOrder(Right.MANAGE, Right.READ, Right.SEE);
        assertThat(given(claim, "other")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"mail\"]", "\"mail\"", "[\"x*\",\"mail\"]"})
    void claim_withOneList_givesAllRights(String claim) throws JoseException {
        assertThat(given(claim, "mail")).containsExactlyInAnyOrder(Right.values());
        assertThat(given(claim, "other")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "{\"produce\":[]}"})
    void claim_thatIsEmpty_givesNothing(String claim) throws JoseException {
        assertThat(given(claim, "mail")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "7",
                "true",
                "\"\"",
                "[\"\"]",
                "[7]",
                "[null]",
                "[[\"a\"]]",
                "[\"a*b\"]",
                "[\"*a\"]",
                "[\"**\"]",
                "[\"\\u0000\"]",
                "[\"\\ud800*\"]",
                "{\"Produce\":[\"a\"]}",
                "{\"produce\":null}",
                "{\"produce\":{\"a\":1}}",
                "{\"produce\":[\"a\"],\"all\":[\"*\"]}",
            })
    void claim_malformed_isRefusedWithItsNameAndWithoutItsText(String claim) {
        assertThatThrownBy(() -> read(claim))
                .isInstanceOfSatisfying(
                        QueenException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TOKEN))
                .hasMessageMatching("The claim c(\\.produce)? of the token (is not|has) [a-z, ]+");
    }

    @Test
    void claim_malformed_whatever_isRefused() {
        assertThatThrownBy(() -> Rights.read("a".repeat(257), "c")).isInstanceOf(QueenException.class);
        assertThatThrownBy(() -> Rights.read(Map.of("see", "*"), "c")).isInstanceOf(QueenException.class);
    }
}
