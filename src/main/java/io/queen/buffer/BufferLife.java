package io.queen.buffer;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import org.jboss.logging.Logger;

/** The beginning and the end of the buffer. What an earlier server left is known before the port opens. */
@Singleton
final class BufferLife {
    private static final Logger LOG = Logger.getLogger(BufferLife.class);
    private static final long MILLIS_TO_STOP = 5000;

    private final BufferFiles files;
    private final Orphans leftovers;
    private final FailedRecords failed;
    private final Appender appender;
    private final Drain drain;
    private final Journal journal;

    BufferLife(
            BufferFiles files,
            Orphans leftovers,
            FailedRecords failed,
            Appender appender,
            Drain drain,
            Journal journal) {
        this.files = files;
        this.leftovers = leftovers;
        this.failed = failed;
        this.appender = appender;
        this.drain = drain;
        this.journal = journal;
    }

    /** After maintenance is known (3), which may hold the drain back. */
    void start(@Observes @Priority(4) StartupEvent event) {
        try {
            leftovers.adopt();
            failed.count();
        } catch (IOException e) {
            LOG.warnf("What may be buffered in %s can't be read: %s", files.directory(), e.toString());
        }
        if (!Disk.isWritable(files.directory())) {
            LOG.warnf(
                    "The file buffer's directory %s can't be written to: while PostgreSQL is away pushes will get 503;"
                            + " choose another with FILE_BUFFER_DIR",
                    files.directory());
        }
        appender.start(drain::wake);
        drain.start();
    }

    /** Before the sidecars, which the drain uses. */
    void stop(@Observes @Priority(1) ShutdownEvent event) throws InterruptedException {
        boolean ended = drain.stop(MILLIS_TO_STOP);
        appender.stop();
        if (ended) {
            journal.close();
        }
    }
}
