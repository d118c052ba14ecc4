package io.queen.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** The same for machines. Fields are only ever added; what is not known is left out. */
final class ReportFile {
    private final JsonGenerator json;

    private ReportFile(JsonGenerator json) {
        this.json = json;
    }

    static void write(Path file, Settings settings, List<Result> results) throws IOException {
        try (JsonGenerator json = new JsonFactory().createGenerator(Files.newOutputStream(file))) {
            json.useDefaultPrettyPrinter();
            new ReportFile(json).write(settings, results);
        }
    }

    private void write(Settings settings, List<Result> results) throws IOException {
        json.writeStartObject();
        json.writeStringField("finishedAt", Instant.now().toString());
        write(settings);
        json.writeArrayFieldStart("results");
        for (Result result : results) {
            write(result);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void write(Settings settings) throws IOException {
        json.writeObjectFieldStart("settings");
        json.writeNumberField("payload", settings.payload());
        json.writeNumberField("connections", settings.connections());
        json.writeNumberField("rate", settings.rate());
        json.writeNumberField("warmupSeconds", settings.warmup().toNanos() / 1e9);
        json.writeNumberField("durationSeconds", settings.duration().toNanos() / 1e9);
        json.writeNumberField("partitions", settings.partitions());
        json.writeNumberField("stock", settings.stock());
        json.writeEndObject();
    }

    private void write(Result result) throws IOException {
        json.writeStartObject();
        json.writeStringField("scenario", result.scenario());
        json.writeStringField("server", result.target().name());
        json.writeStringField("url", result.target().url());
        write(result.counts(), result.missed());
        spent(result, result.spent());
        json.writeArrayFieldStart("rounds");
        for (Round round : result.rounds()) {
            json.writeStartObject();
            write(round.counts(), round.missed());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void write(Counts counts, long missed) throws IOException {
        json.writeNumberField("messages", counts.messages());
        json.writeNumberField("requests", counts.requests());
        json.writeNumberField("seconds", counts.seconds());
        json.writeNumberField("messagesPerSecond", counts.messagesPerSecond());
        json.writeNumberField("requestsPerSecond", counts.requestsPerSecond());
        json.writeNumberField("errors", counts.errors());
        json.writeNumberField("empties", counts.empties());
        json.writeNumberField("missed", missed);
        json.writeObjectFieldStart("latencyMs");
        json.writeNumberField("p50", counts.millisAt(50));
        json.writeNumberField("p90", counts.millisAt(90));
        json.writeNumberField("p99", counts.millisAt(99));
        json.writeNumberField("p99.9", counts.millisAt(99.9));
        json.writeNumberField("max", counts.maxMillis());
        json.writeEndObject();
    }

    private void spent(Result result, Figures spent) throws IOException {
        json.writeObjectFieldStart("perMessage");
        field("serverCpuMicros", result.perMessage(spent.serverCpuMicros()));
        field("clientCpuMicros", result.perMessage(spent.clientCpuMicros()));
        field("postgresCpuMicros", result.perMessage(spent.postgresCpuMicros()));
        field("statements", result.perMessage(spent.statements()));
        field("transactions", result.perMessage(spent.transactions()));
        field("walBytes", result.perMessage(spent.walBytes()));
        json.writeEndObject();
        if (spent.residentBytes() != null) {
            json.writeNumberField("serverResidentBytes", spent.residentBytes());
        }
        json.writeObjectFieldStart("listSizes");
        for (var list : spent.lists().entrySet()) {
            if (list.getValue().count() > 0) {
                field(
                        list.getKey(),
                        (double) list.getValue().requests() / list.getValue().count());
            }
        }
        json.writeEndObject();
    }

    private void field(String name, Double value) throws IOException {
        if (value != null) {
            json.writeNumberField(name, value);
        }
    }
}
