package io.queen.bench;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** The live line. On a terminal it is written over and over; elsewhere only what is said once appears. */
final class Progress {
    private static final long TICK_MS = 250;
    private static final int WIDTH = 20;

    private final PrintStream out;
    private final boolean terminal;
    private String title = "";
    private int lastLength;

    Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void title(String text) {
        title = text;
    }

    /** Waits, and shows what happens meanwhile. */
    void until(Duration span, LiveCounts counts, String phase) throws InterruptedException {
        long start = System.nanoTime();
        long before = counts.seen();
        long lastTick = start;
        while (true) {
            long left = span.toNanos() - (System.nanoTime() - start);
            if (left <= 0) {
                clear();
                return;
            }
            Thread.sleep(Math.max(1, Math.min(TICK_MS, left / 1_000_000)));
            long now = System.nanoTime();
            long messages = counts.seen();
            show(line(span, now - start, phase, (messages - before) * 1e9 / (now - lastTick), counts.errors()));
            before = messages;
            lastTick = now;
        }
    }

    private String line(Duration span, long passed, String phase, double rate, long errors) {
        double part = Math.min(1, (double) passed / Math.max(1, span.toNanos()));
        int full = (int) Math.round(part * WIDTH);
        return String.format(
                Locale.ROOT,
                "%s  [%s%s] %4.1f of %.1f s  %,.0f messages/s  %d errors %s",
                title,
                "#".repeat(full),
                ".".repeat(WIDTH - full),
                passed / 1e9,
                span.toNanos() / 1e9,
                rate,
                errors,
                phase);
    }

    /** What takes its time before anything is measured. */
    void busy(String what) {
        show(title + "  " + what);
    }

    private void show(String line) {
        if (terminal) {
            out.print("\r" + line + " ".repeat(Math.max(0, lastLength - line.length())));
            out.flush();
            lastLength = line.length();
        }
    }

    private void clear() {
        if (terminal && lastLength > 0) {
            out.print("\r" + " ".repeat(lastLength) + "\r");
            out.flush();
            lastLength = 0;
        }
    }

    /** A line that stays. */
    void say(String line) {
        clear();
        out.println(line);
    }
}
