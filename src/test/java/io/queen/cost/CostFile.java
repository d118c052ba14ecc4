package io.queen.cost;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The committed figures: a line per operation. */
final class CostFile {
    private static final Path FILE = Path.of("src/test/resources/costs.txt");
    private static final String HEAD = """
            # What one request costs: statements (each a round trip), bytes of WAL, buffers, bytes allocated in Java.
            # CostGuardTest holds it; PostgreSQL 18, as embedded, Java 17.
            # New figures: mvn test -Dtest=CostGuardTest -Dguard.write=true
            """;

    private CostFile() {}

    static Map<String, Cost> read() throws IOException {
        return Files.readString(FILE)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.trim().split(" +", -1))
                .collect(Collectors.toMap(
                        field -> field[0],
                        field -> new Cost(
                                Long.parseLong(field[1]),
                                Double.parseDouble(field[2]),
                                Double.parseDouble(field[3]),
                                Double.parseDouble(field[4])),
                        (one, two) -> two,
                        LinkedHashMap::new));
    }

    static void write(Map<String, Cost> costs) throws IOException {
        Files.writeString(
                FILE,
                costs.entrySet().stream()
                        .map(line -> line(line.getKey(), line.getValue()))
                        .collect(Collectors.joining("\n", HEAD, "\n")));
    }

    static String line(String operation, Cost cost) {
        return String.format(
                Locale.ROOT,
                "%-12s %3d %8.0f %8.1f %9.0f",
                operation,
                cost.statements(),
                cost.walBytes(),
                cost.buffers(),
                cost.allocatedBytes());
    }
}
