package io.queen.fuzz;

import java.util.List;
import java.util.Random;

/** Values that somebody might send by mistake or on purpose. */
final class Hostile {
    /** Stands for bytes that are no UTF-8, in texts that become bytes later. */
    static final char BROKEN = '\uE000';

    private static final String DIGITS = "9".repeat(400);
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "-1",
            "0",
            "2147483647",
            "2147483648",
            "-2147483649",
            "9223372036854775808",
            DIGITS,
            "1.5",
            "1e400",
            "NaN",
            "abc",
            "null",
            "[]",
            "{}",
            "a\u0000b",
            "\u0000",
            "\uD800",
            "\uDC00x",
            "\uD83D\uDE00",
            "\uFEFF",
            "\uFFFF",
            "a/b",
            "..",
            "../..",
            "%",
            "%zz",
            "%2",
            "%00",
            "%c0%80",
            "+",
            "a b",
            "a\r\nX: y",
            "'; select 1 --",
            "$1",
            "\\",
            "\"",
            "x".repeat(255),
            "x".repeat(256),
            "x".repeat(3000),
            "__QUEUE__",
            "0001-01-01",
            "9999-12-31T23:59:59-18:00",
            "+999999999-12-31T23:59:59Z",
            "99999999999d ago",
            "999999999d ago",
            "2025-02-30",
            "now",
            "NOW()",
            "infinity",
            "-infinity",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "1-1-1-1-1",
            String.valueOf(BROKEN),
            "n" + BROKEN);
    private static final List<String> JSON = List.of(
            "null",
            "false",
            "0",
            "-0",
            "-1",
            "1.5",
            "1e2",
            "1e400",
            "-1e-400",
            "2147483647",
            "2147483648",
            "-2147483649",
            "9223372036854775808",
            DIGITS,
            "0." + DIGITS,
            "\"\"",
            "[]",
            "{}",
            "[[]]",
            "[null]",
            "[{}]",
            "[1,\"a\"]",
            "{\"a\":{\"b\":[]}}",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"\\udc00a\"",
            "\"\\uD83D\\uDE00\"",
            "\"\\x\"",
            "\"a",
            "tru",
            "nul",
            "NaN",
            "-Infinity",
            "01",
            "+1",
            ".5",
            "'a'",
            "\"a\nb\"",
            "/* c */1",
            "",
            ",",
            "]",
            "}",
            "{\"a\":1,}",
            "{\"a\":1,\"a\":2}",
            "\"" + BROKEN + "\"",
            "" + BROKEN,
            "\"" + "x".repeat(256) + "\"",
            "\"" + "x".repeat(70_000) + "\"",
            "[".repeat(900) + "]".repeat(900),
            "[".repeat(2000) + "]".repeat(2000),
            "[".repeat(100_000),
            "{\"a\":".repeat(1500));

    private final Random random;

    Hostile(Random random) {
        this.random = random;
    }

    String text() {
        return random.nextInt(8) == 0 ? noise(random.nextInt(40)) : TEXTS.get(random.nextInt(TEXTS.size()));
    }

    /** A text in the place of a value of a body, which may be no JSON at all. */
    String json() {
        return JSON.get(random.nextInt(JSON.size()));
    }

    byte[] bytes(int most) {
        byte[] bytes = new byte[random.nextInt(most) + 1];
        random.nextBytes(bytes);
        return bytes;
    }

    private String noise(int length) {
        StringBuilder text = new StringBuilder();
        random.ints(length, 0, 0xE000).forEach(c -> text.append((char) c));
        return text.toString();
    }
}
