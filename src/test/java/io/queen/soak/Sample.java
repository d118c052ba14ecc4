package io.queen.soak;

import io.queen.testing.Sql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What could grow without end, at one moment: name to amount. Not what operators did: that is kept for days, and here they
 * do more in a minute than others in a year.
 */
final class Sample {
    private Sample() {}

    static Map<String, Long> of(long pid, Sql sql) throws IOException {
        Map<String, Long> sample = new LinkedHashMap<>();
        Path process = Path.of("/proc", Long.toString(pid));
        sample.put("rss kB", status(process, "VmRSS:"));
        sample.put("threads", status(process, "Threads:"));
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            sample.put("descriptors", descriptors.count());
        }
        sql.rows("select t.relname, pg_total_relation_size(t.relid) / 1024 as kb, t.n_live_tup, t.n_dead_tup"
                        + " from pg_stat_user_tables t where t.schemaname = 'queen' and t.relname <> 'audit'"
                        + " order by t.relname")
                .forEach(table -> {
                    String name = (String) table.get("relname");
                    sample.put(name + " kB", (Long) table.get("kb"));
                    sample.put(name + " rows", (Long) table.get("n_live_tup"));
                    sample.put(name + " dead", (Long) table.get("n_dead_tup"));
                });
        return sample;
    }

    private static long status(Path process, String key) throws IOException {
        try (Stream<String> lines = Files.lines(process.resolve("status"))) {
            String line = lines.filter(each -> each.startsWith(key)).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", ""));
        }
    }
}
