package io.queen.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Kills a server and takes away what it wrote to its file buffer in the last second and answered as buffered. */
final class LostBuffer {
    private static final int SERVER = 0;
    private static final int FILLED_MILLIS = 2000;
    private static final int LOST_MILLIS = 1000;

    private LostBuffer() {}

    static void strike(Installation on) {
        Maintenance.push(on, true);
        Faults.pass(FILLED_MILLIS);
        Map<Path, Long> kept = sizes(on.buffer(SERVER));
        Faults.pass(LOST_MILLIS);
        on.server(SERVER).kill();
        forget(on.buffer(SERVER), kept);
        on.start(SERVER);
        Maintenance.push(on, false);
    }

    private static void forget(Path buffer, Map<Path, Long> kept) {
        for (Path segment : sizes(buffer).keySet()) {
            try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
                file.truncate(kept.getOrDefault(segment, 0L));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static Map<Path, Long> sizes(Path buffer) {
        Map<Path, Long> sizes = new HashMap<>();
        for (Path segment : segments(buffer)) {
            sizes.put(segment, segment.toFile().length());
        }
        return sizes;
    }

    private static List<Path> segments(Path buffer) {
        try (Stream<Path> files = Files.walk(buffer)) {
            return files.filter(path -> path.toString().endsWith(".segment")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
