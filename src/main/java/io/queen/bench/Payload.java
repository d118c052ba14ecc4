package io.queen.bench;

/** Payloads: a number, and as much text as makes up the size. */
final class Payload {
    private static final int FRAME = "{\"n\":,\"x\":\"\"}".length();

    private Payload() {}

    static String of(int bytes, long number) {
        String digits = Long.toString(number);
        int rest = Math.max(0, bytes - FRAME - digits.length());
        return "{\"n\":" + digits + ",\"x\":\"" + "x".repeat(rest) + "\"}";
    }
}
