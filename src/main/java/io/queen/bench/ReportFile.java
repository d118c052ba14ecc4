package io.queen.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** What was measured as JSON, for files and for reports. Fields are only ever added; what is not known is left out. */
final class ReportFile {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ReportFile() {}

    static void write(Path file, Settings settings, ArrayNode results) throws IOException {
        ObjectNode report =
                JSON.createObjectNode().put("finishedAt", Instant.now().toString());
        report.putObject("settings")
                .put("payload", settings.payload)
                .put("connections", settings.connections)
                .put("rate", settings.rate)
                .put("warmupSeconds", settings.warmup.toNanos() / 1e9)
                .put("durationSeconds", settings.duration.toNanos() / 1e9)
                .put("partitions", settings.partitions)
                .put("stock", settings.stock);
        report.set("results", results);
        JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), report);
    }

    static JsonNode readResults(Path file) {
        try {
            JsonNode results = JSON.readTree(file.toFile()).path("results");
            if (results.isEmpty()) {
                throw new BenchException(file + " is not a file of queen bench --json");
            }
            return results;
        } catch (IOException e) {
            throw new BenchException("Cannot read " + file + ": " + e.getMessage());
        }
    }

    static ArrayNode json(List<Result> results) {
        ArrayNode list = JSON.createArrayNode();
        results.forEach(result -> write(list.addObject(), result));
        return list;
    }

    private static void write(ObjectNode json, Result result) {
        json.put("scenario", result.scenario())
                .put("server", result.server().name())
                .put("url", result.server().url());
        Counts counts = result.counts();
        write(json, counts, result.missed());
        ObjectNode reasons = json.putObject("errorReasons");
        counts.reasons().forEach(reasons::put);
        spent(json, result.spent(), counts.messages());
        ArrayNode rounds = json.putArray("rounds");
        result.rounds().forEach(round -> write(rounds.addObject(), round.counts(), round.missed()));
    }

    private static void write(ObjectNode json, Counts counts, long missed) {
        json.put("messages", counts.messages())
                .put("requests", counts.requests())
                .put("seconds", counts.seconds())
                .put("messagesPerSecond", counts.messagesPerSecond())
                .put("requestsPerSecond", counts.requestsPerSecond())
                .put("errors", counts.errors())
                .put("empties", counts.empties())
                .put("missed", missed);
        json.putObject("latencyMs")
                .put("p50", counts.millisAt(50))
                .put("p90", counts.millisAt(90))
                .put("p99", counts.millisAt(99))
                .put("p99.9", counts.millisAt(99.9))
                .put("max", counts.maxMillis());
    }

    private static void spent(ObjectNode json, ResourceUsage spent, long messages) {
        ObjectNode perMessage = json.putObject("perMessage");
        if (messages > 0) {
            spent.used().forEach((name, used) -> perMessage.put(name, (double) used / messages));
        }
        if (spent.residentBytes() != null) {
            json.put("serverResidentBytes", spent.residentBytes());
        }
        ObjectNode sizes = json.putObject("listSizes");
        spent.batches().forEach((operation, count) -> {
            if (count > 0) {
                sizes.put(operation, (double) spent.requests().get(operation) / count);
            }
        });
    }
}
