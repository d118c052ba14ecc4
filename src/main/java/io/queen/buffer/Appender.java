package io.queen.buffer;

import io.queen.encryption.PayloadCipher;
import io.queen.message.ErrorCode;
import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import io.queen.message.QueenException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Writes requests to the journal on a thread of its own. Those that arrive while the disk works are written and fsynced
 * together: under load one fsync serves many.
 */
@Singleton
final class Appender {
    private static final Logger LOG = Logger.getLogger(Appender.class);
    private static final long GROUP_BYTES = 16L * 1024 * 1024;
    private static final long MAX_WAITING_BYTES = 64L * 1024 * 1024;

    private final Journal journal;
    private final BufferedPartitions partitions;
    private final BufferFiles files;
    private final PayloadCipher cipher;
    private final BlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final Thread thread = new Thread(this::run, "queen-buffer-append");
    private volatile boolean healthy = true;
    private volatile boolean stopping;
    private Runnable onAppend = () -> {};

    Appender(Journal journal, BufferedPartitions partitions, BufferFiles files, PayloadCipher cipher) {
        this.journal = journal;
        this.partitions = partitions;
        this.files = files;
        this.cipher = cipher;
    }

    /** A request on its way to the disk, as the body of a record; {@link #END} ends the thread. */
    private record Entry(
            byte[] body, Map<PartitionName, Integer> counts, Context caller, UniEmitter<? super Void> emitter) {
        static final Entry END = new Entry(null, Map.of(), null, null);

        boolean isEnd() {
            return body == null;
        }

        int size() {
            return RecordFormat.bytes(body);
        }

        void written() {
            caller.runOnContext(ignored -> emitter.complete(null));
        }

        void fail(QueenException failure) {
            caller.runOnContext(ignored -> emitter.fail(failure));
        }
    }

    /** {@code listener} hears when something was written. */
    void start(Runnable listener) {
        if (!Disk.isWritable(files.directory())) {
            LOG.warnf(
                    "The file buffer's directory %s can't be written to: while PostgreSQL is away pushes will get 503;"
                            + " choose another with FILE_BUFFER_DIR",
                    files.directory());
        }
        onAppend = listener;
        thread.setDaemon(true);
        thread.start();
    }

    /** What was handed over is written before this returns; what comes later is refused. */
    void stop() throws InterruptedException {
        stopping = true;
        queue.add(Entry.END);
        thread.join();
        queue.forEach(late -> late.fail(stopped()));
    }

    /** Whether the last write succeeded. */
    boolean isHealthy() {
        return healthy;
    }

    /** Done, on the context of the caller, when the request is safe on disk; its partitions are buffered from now on. */
    Uni<Void> append(List<PushItem> items) {
        byte[] body = RecordBody.seal(items, cipher).write();
        Map<PartitionName, Integer> counts = BufferedPartitions.count(items);
        return Uni.createFrom().emitter(emitter -> enqueue(new Entry(body, counts, Vertx.currentContext(), emitter)));
    }

    private void enqueue(Entry entry) {
        if (stopping) {
            entry.fail(stopped());
            return;
        }
        int size = entry.size();
        long waiting = waitingBytes.getAndAdd(size);
        if (journal.bytes() + waiting + size > files.maxBytes()) {
            waitingBytes.addAndGet(-size);
            entry.fail(unavailable("the file buffer is full (queen.buffer.max-size)", null));
        } else if (waiting > MAX_WAITING_BYTES) {
            waitingBytes.addAndGet(-size);
            entry.fail(new QueenException(ErrorCode.OVERLOADED, "Too much waits to be written to the file buffer"));
        } else {
            partitions.add(entry.counts());
            queue.add(entry);
        }
    }

    private void run() {
        for (Entry first = take(); !first.isEnd(); first = take()) {
            write(group(first));
        }
    }

    private Entry take() {
        while (true) {
            try {
                return queue.take();
            } catch (InterruptedException e) {
                LOG.debug("Nothing should interrupt this thread", e);
            }
        }
    }

    private List<Entry> group(Entry first) {
        List<Entry> group = new ArrayList<>(List.of(first));
        long bytes = first.size();
        for (Entry next = queue.peek(); next != null && !next.isEnd() && bytes < GROUP_BYTES; next = queue.peek()) {
            group.add(queue.remove());
            bytes += next.size();
        }
        return group;
    }

    private void write(List<Entry> group) {
        Map<PartitionName, Integer> counts = new HashMap<>();
        group.forEach(
                entry -> entry.counts().forEach((partition, count) -> counts.merge(partition, count, Integer::sum)));
        try {
            journal.append(group.stream().map(Entry::body).toList(), counts);
            written(group);
        } catch (IOException | RuntimeException e) {
            partitions.remove(counts);
            failed(group, e);
        }
        waitingBytes.addAndGet(-group.stream().mapToLong(Entry::size).sum());
    }

    private void written(List<Entry> group) {
        if (!healthy) {
            LOG.infof("The file buffer in %s can be written to again", files.directory());
        }
        healthy = true;
        group.forEach(Entry::written);
        onAppend.run();
    }

    private void failed(List<Entry> group, Exception cause) {
        if (healthy) {
            LOG.errorf(
                    "The file buffer in %s can't be written to, pushes get 503 as long as the database can't take them: %s",
                    files.directory(), cause.toString());
        }
        healthy = false;
        QueenException failure = unavailable("the disk can't be written to, the server's log tells more", cause);
        group.forEach(entry -> entry.fail(failure));
    }

    private static QueenException stopped() {
        return unavailable("the server is stopping", null);
    }

    private static QueenException unavailable(String reason, Throwable cause) {
        return new QueenException(
                ErrorCode.BUFFER_UNAVAILABLE,
                "The message can't go to the database now, and can't be kept on disk: " + reason,
                cause);
    }
}
