package io.queen.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Memory and CPU of this process as the kernel counts them; zeros where there is no {@code /proc}.
 *
 * @param residentBytes memory in RAM
 * @param virtualBytes address space
 * @param userMicros CPU time in the program
 * @param systemMicros CPU time in the kernel on its behalf
 */
record ProcessStats(long residentBytes, long virtualBytes, long userMicros, long systemMicros) {
    private static final String PROC = "/proc/self";
    /** {@code /proc} counts CPU time in hundredths of a second on every Linux. */
    private static final long MICROS_PER_TICK = 10_000;
    /** Positions of utime and stime after the process name, which may itself hold spaces. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;

    static ProcessStats read() {
        try {
            return parse(Files.readString(Path.of(PROC, "status")), Files.readString(Path.of(PROC, "stat")));
        } catch (IOException e) {
            return new ProcessStats(0, 0, 0, 0);
        }
    }

    static ProcessStats parse(String status, String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return new ProcessStats(
                kilobytes(status, "VmRSS:") * 1024,
                kilobytes(status, "VmSize:") * 1024,
                Long.parseLong(fields[USER_TICKS]) * MICROS_PER_TICK,
                Long.parseLong(fields[SYSTEM_TICKS]) * MICROS_PER_TICK);
    }

    private static long kilobytes(String status, String key) {
        return status.lines()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElse(0);
    }
}
