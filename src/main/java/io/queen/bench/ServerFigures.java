package io.queen.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.queen.bench.Figures.Lists;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * CPU, memory and lists of a server: of the process on this machine when its id is given, else as its {@code GET
 * /metrics} tells. Null where a server does not tell.
 */
record ServerFigures(Long cpuMicros, Long residentBytes, Map<String, Lists> lists) {
    /** {@code /proc} counts CPU time in hundredths of a second on every Linux. */
    private static final long MICROS_PER_TICK = 10_000;

    static ServerFigures read(Answer metrics, Long pid) {
        JsonNode json = metrics.succeeded() ? metrics.json() : null;
        Map<String, Lists> lists = lists(json);
        if (pid != null) {
            return new ServerFigures(cpu(pid), resident(pid), lists);
        }
        long cpu = json == null
                ? 0
                : json.at("/cpu/user").asLong() + json.at("/cpu/system").asLong();
        long resident = json == null ? 0 : json.at("/memory/rss").asLong();
        return new ServerFigures(cpu == 0 ? null : cpu, resident == 0 ? null : resident, lists);
    }

    private static Map<String, Lists> lists(JsonNode json) {
        Map<String, Lists> lists = new TreeMap<>();
        if (json != null) {
            json.at("/sidecar/operations")
                    .properties()
                    .forEach(operation -> lists.put(
                            operation.getKey(),
                            new Lists(
                                    operation.getValue().path("count").asLong(),
                                    operation.getValue().path("lists").asLong())));
        }
        return lists;
    }

    private static long cpu(long pid) {
        String stat = proc(pid, "stat");
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * MICROS_PER_TICK;
    }

    private static long resident(long pid) {
        return proc(pid, "status")
                        .lines()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                        .findFirst()
                        .orElse(0)
                * 1024;
    }

    private static String proc(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), file));
        } catch (IOException e) {
            throw new BenchException("There is no process " + pid + " on this machine (--server-pid)");
        }
    }
}
