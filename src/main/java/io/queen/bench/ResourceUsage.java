package io.queen.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * What a server and its PostgreSQL have used so far, or between two moments.
 *
 * @param used by the name that it has in files; without what is not known
 * @param requests by operation, of a server that tells how requests became batches
 * @param batches that these requests became
 * @param residentBytes null when not known
 */
record ResourceUsage(
        Map<String, Long> used, Map<String, Long> requests, Map<String, Long> batches, Long residentBytes) {
    static final String SERVER_CPU = "serverCpuMicros";
    /** Of the generator itself. */
    static final String CLIENT_CPU = "clientCpuMicros";

    static final String POSTGRES_CPU = "postgresCpuMicros";
    static final String STATEMENTS = "statements";
    static final String TRANSACTIONS = "transactions";
    static final String WAL = "walBytes";

    /**
     * CPU time and memory of the server are those of its process when that is known, else as its metrics tell. The CPU
     * time of the generator is that of the whole process: one generator per process.
     *
     * @param metrics the answer to {@code GET /metrics}, missing when there was none
     * @param pid null when the process is not known
     * @param database what its PostgreSQL has used, as far as it is known
     */
    static ResourceUsage read(JsonNode metrics, Long pid, Map<String, Long> database) {
        Map<String, Long> used = new TreeMap<>(database);
        used.put(CLIENT_CPU, cpuMicros(ProcessHandle.current()));
        long told = metrics.at("/cpu/user").asLong() + metrics.at("/cpu/system").asLong();
        long cpu = pid == null ? told : cpuMicros(process(pid));
        if (cpu > 0) {
            used.put(SERVER_CPU, cpu);
        }
        long resident = pid == null ? metrics.at("/memory/rss").asLong() : residentBytes(pid);
        return new ResourceUsage(
                used, byOperation(metrics, "count"), byOperation(metrics, "lists"), resident == 0 ? null : resident);
    }

    private static Map<String, Long> byOperation(JsonNode metrics, String field) {
        Map<String, Long> numbers = new TreeMap<>();
        metrics.at("/sidecar/operations")
                .properties()
                .forEach(operation -> numbers.put(
                        operation.getKey(), operation.getValue().path(field).asLong()));
        return numbers;
    }

    private static long cpuMicros(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1000;
    }

    private static ProcessHandle process(long pid) {
        return ProcessHandle.of(pid)
                .orElseThrow(
                        () -> new BenchException("There is no process " + pid + " on this machine (--server-pid)"));
    }

    private static long residentBytes(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .sum();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Memory is not used up: it is what it is now. */
    ResourceUsage since(ResourceUsage before) {
        return combine(before, (now, then) -> now - then, residentBytes);
    }

    /** Several rounds; of memory the most. */
    static ResourceUsage sum(List<ResourceUsage> rounds) {
        return rounds.stream().reduce(ResourceUsage::plus).orElseThrow();
    }

    private ResourceUsage plus(ResourceUsage other) {
        boolean both = residentBytes != null && other.residentBytes != null;
        return combine(other, Long::sum, both ? Long.valueOf(Math.max(residentBytes, other.residentBytes)) : null);
    }

    private ResourceUsage combine(ResourceUsage other, BinaryOperator<Long> operator, Long memory) {
        return new ResourceUsage(
                combine(used, other.used, operator),
                combine(requests, other.requests, operator),
                combine(batches, other.batches, operator),
                memory);
    }

    /** What only one of them knows is left out. */
    private static Map<String, Long> combine(
            Map<String, Long> mine, Map<String, Long> others, BinaryOperator<Long> operator) {
        Map<String, Long> result = new TreeMap<>(mine);
        result.keySet().retainAll(others.keySet());
        result.replaceAll((name, value) -> operator.apply(value, others.get(name)));
        return result;
    }
}
