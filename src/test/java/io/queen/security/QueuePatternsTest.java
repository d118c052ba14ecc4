package io.queen.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueuePatternsTest {
    private static final QueuePatterns PATTERNS =
            new QueuePatterns(List.of("orders.*", "orders.eu.*", "mail", "a_b*", "100%*", "z"));

    @ParameterizedTest
    @CsvSource({
        "orders.new, true",
        "orders.eu.new, true",
        "orders., true",
        "orders.*, true",
        "orders, false",
        "ordersX, false",
        "Orders.new, false",
        "mail, true",
        "mail2, false",
        "a_bc, true",
        "axbc, false",
        "100%x, true",
        "100x, false",
        "z, true",
        "zz, false",
        "'', false",
        "'~', false",
    })
    void queue_isThere_whenAPatternIsItsNameOrItsBeginning(String queue, boolean there) {
        assertThat(PATTERNS.has(queue)).isEqualTo(there);
    }

    @Test
    void star_alone_isAllQueues() {
        assertThat(QueuePatterns.ALL.has("")).isTrue();
        assertThat(QueuePatterns.ALL.has("x")).isTrue();
        assertThat(new QueuePatterns(List.of("a", "*", "b*")).hasAll()).isTrue();
        assertThat(new QueuePatterns(List.of("a*", "*")).forDatabase()).isNull();
        assertThat(QueuePatterns.NONE.has("")).isFalse();
        assertThat(QueuePatterns.NONE.hasAll()).isFalse();
        assertThat(QueuePatterns.NONE.forDatabase()).isEmpty();
    }

    @Test
    void answers_ofAnyPatterns_areThoseOfASearchThroughAll() {
        Random random = new Random(7);
        int there = 0;
        for (int i = 0; i < 20_000; i++) {
            List<String> texts = IntStream.range(0, random.nextInt(8))
                    .mapToObj(n -> word(random) + (random.nextBoolean() ? "*" : ""))
                    .toList();
            String queue = word(random);
            boolean expected = texts.stream()
                    .anyMatch(text -> text.endsWith("*")
                            ? queue.startsWith(text.substring(0, text.length() - 1))
                            : queue.equals(text));
            assertThat(new QueuePatterns(texts).has(queue))
                    .as(texts + " " + queue)
                    .isEqualTo(expected);
            there += expected ? 1 : 0;
        }
        assertThat(there).isBetween(2000, 18_000);
    }

    private static String word(Random random) {
        StringBuilder word = new StringBuilder();
        for (int length = 1 + random.nextInt(4); length > 0; length--) {
            word.append("ab.".charAt(random.nextInt(3)));
        }
        return word.toString();
    }
}
