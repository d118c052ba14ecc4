package io.queen.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The same for machines. Fields are only ever added; what is not known is left out. */
final class ReportFile {
    private ReportFile() {}

    static void write(Path file, Settings settings, List<Result> results) throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode report =
                json.createObjectNode().put("finishedAt", Instant.now().toString());
        write(report.putObject("settings"), settings);
        ArrayNode list = report.putArray("results");
        results.forEach(result -> write(list.addObject(), result));
        json.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), report);
    }

    private static void write(ObjectNode json, Settings settings) {
        json.put("payload", settings.payload)
                .put("connections", settings.connections)
                .put("rate", settings.rate)
                .put("warmupSeconds", settings.warmup.toNanos() / 1e9)
                .put("durationSeconds", settings.duration.toNanos() / 1e9)
                .put("partitions", settings.partitions)
                .put("stock", settings.stock);
    }

    private static void write(ObjectNode json, Result result) {
        json.put("scenario", result.scenario())
                .put("server", result.server().name())
                .put("url", result.server().url());
        write(json, result.counts(), result.missed());
        spent(json, result);
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

    private static void spent(ObjectNode json, Result result) {
        ObjectNode perMessage = json.putObject("perMessage");
        for (Resource resource : Resource.values()) {
            Double used = result.perMessage(resource);
            if (used != null) {
                perMessage.put(resource.field(), used);
            }
        }
        ResourceUsage spent = result.spent();
        if (spent.residentBytes() != null) {
            json.put("serverResidentBytes", spent.residentBytes());
        }
        ObjectNode sizes = json.putObject("listSizes");
        spent.batches().forEach((operation, batches) -> {
            if (batches.count() > 0) {
                sizes.put(operation, batches.size());
            }
        });
    }
}
