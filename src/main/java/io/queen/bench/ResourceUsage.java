package io.queen.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * What a server and its PostgreSQL have used so far, or between two moments.
 *
 * @param used without what is not known
 * @param residentBytes null when not known
 * @param batches by operation, of a server that tells how requests became batches
 */
record ResourceUsage(Map<Resource, Long> used, Long residentBytes, Map<String, Batches> batches) {
    private static final Batches NONE = new Batches(0, 0);

    /** Requests, and the batches that they became. */
    record Batches(long requests, long count) {
        private Batches plus(Batches other, int times) {
            return new Batches(requests + times * other.requests, count + times * other.count);
        }

        double size() {
            return count == 0 ? 0 : (double) requests / count;
        }
    }

    /**
     * CPU time and memory of the server are those of its process when that is known, else as its metrics tell. The CPU
     * time of the generator is that of the whole process: one generator per process.
     *
     * @param metrics the answer to {@code GET /metrics}, missing when there was none
     * @param database null when not known
     */
    static ResourceUsage read(JsonNode metrics, Long pid, DatabaseFiguresStore.Figures database) {
        Map<Resource, Long> used = new EnumMap<>(Resource.class);
        used.put(Resource.CLIENT_CPU, cpuMicros(ProcessHandle.current()).orElse(0L));
        put(
                used,
                Resource.SERVER_CPU,
                pid == null ? cpuMicros(metrics) : cpuMicros(process(pid)).orElse(null));
        if (database != null) {
            put(used, Resource.POSTGRES_CPU, database.cpuMicros());
            put(used, Resource.STATEMENTS, database.statements());
            put(used, Resource.TRANSACTIONS, database.transactions());
            put(used, Resource.WAL, database.walBytes());
        }
        Long resident = pid == null ? known(metrics.at("/memory/rss").asLong()) : residentBytes(pid);
        return new ResourceUsage(used, resident, batches(metrics));
    }

    private static void put(Map<Resource, Long> used, Resource resource, Long value) {
        if (value != null) {
            used.put(resource, value);
        }
    }

    private static Long known(long value) {
        return value == 0 ? null : value;
    }

    private static Long cpuMicros(JsonNode metrics) {
        return known(
                metrics.at("/cpu/user").asLong() + metrics.at("/cpu/system").asLong());
    }

    private static Map<String, Batches> batches(JsonNode metrics) {
        Map<String, Batches> batches = new TreeMap<>();
        metrics.at("/sidecar/operations").properties().forEach(operation -> {
            JsonNode told = operation.getValue();
            batches.put(
                    operation.getKey(),
                    new Batches(told.path("count").asLong(), told.path("lists").asLong()));
        });
        return batches;
    }

    private static Optional<Long> cpuMicros(ProcessHandle process) {
        return process.info().totalCpuDuration().map(cpu -> cpu.toNanos() / 1000);
    }

    private static ProcessHandle process(long pid) {
        return ProcessHandle.of(pid)
                .orElseThrow(
                        () -> new BenchException("There is no process " + pid + " on this machine (--server-pid)"));
    }

    private static Long residentBytes(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst()
                    .orElse(0L);
        } catch (IOException e) {
            return null;
        }
    }

    /** Memory is not used up: it is what it is now. */
    ResourceUsage since(ResourceUsage before) {
        return new ResourceUsage(
                combine(used, before.used, null, (now, then) -> now - then),
                residentBytes,
                combine(batches, before.batches, NONE, (now, then) -> now.plus(then, -1)));
    }

    /** Several rounds; of memory the most. */
    static ResourceUsage sum(List<ResourceUsage> rounds) {
        return rounds.stream().reduce(ResourceUsage::plus).orElseThrow();
    }

    private ResourceUsage plus(ResourceUsage other) {
        boolean both = residentBytes != null && other.residentBytes != null;
        return new ResourceUsage(
                combine(used, other.used, null, Long::sum),
                both ? (Long) Math.max(residentBytes, other.residentBytes) : null,
                combine(batches, other.batches, NONE, (mine, others) -> mine.plus(others, 1)));
    }

    /** What only one side knows is left out, unless there is something that stands for it. */
    private static <K, V> Map<K, V> combine(Map<K, V> mine, Map<K, V> others, V otherwise, BinaryOperator<V> operator) {
        Map<K, V> result = new TreeMap<>();
        mine.forEach((key, value) -> {
            V other = others.getOrDefault(key, otherwise);
            if (other != null) {
                result.put(key, operator.apply(value, other));
            }
        });
        return result;
    }
}
