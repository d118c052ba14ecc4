package io.queen.metrics;

import io.quarkus.runtime.ShutdownEvent;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Failures that no caller is told of: logged at once the first time, then once a minute with how often and with the first
 * cause, so that a broken minute is one line and never none. All that fails because PostgreSQL is away is one complaint,
 * for that is one reason. Called by any thread: short synchronised sections, nothing waits inside.
 */
@Singleton
public final class Complaints {
    private static final Logger LOG = Logger.getLogger(Complaints.class);
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final String AWAY = "PostgreSQL can't be reached";
    private static final int LONGEST_CAUSE = 500;

    private final LongSupplier clock;
    private final Consumer<String> log;
    private final Map<String, Complaint> open = new HashMap<>();
    private boolean stopped;

    @Inject
    public Complaints() {
        this(System::nanoTime, LOG::warn);
    }

    /** With a clock of nanoseconds. */
    public Complaints(LongSupplier clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
    }

    /** One that was said before, and what has come since. */
    private static final class Complaint {
        private long saidAt;
        private long count;
        private String firstCause;
    }

    /** At the end things fail because they end. */
    void stop(@Observes @Priority(1) ShutdownEvent event) {
        List<String> lines = new ArrayList<>();
        synchronized (this) {
            stopped = true;
            open.forEach((what, complaint) -> addLine(what, complaint, lines));
        }
        lines.forEach(log);
    }

    /**
     * It failed once more.
     *
     * @param what a sentence without an end, always the same for the same thing: "The push log is not trimmed"
     */
    public void failed(String what, Throwable failure) {
        boolean away = failure instanceof QueenException known && known.code() == ErrorCode.DATABASE_UNAVAILABLE;
        String cause = (away ? what + ": " : "") + cause(failure);
        String now = note(away ? AWAY : what, cause);
        if (now != null) {
            log.accept(now);
        }
    }

    /** The line to say now; null when this is counted for later. */
    private synchronized String note(String what, String cause) {
        if (stopped) {
            return null;
        }
        Complaint known = open.get(what);
        if (known == null) {
            Complaint fresh = new Complaint();
            fresh.saidAt = clock.getAsLong();
            open.put(what, fresh);
            return what + ": " + cause;
        }
        known.count++;
        known.firstCause = known.firstCause == null ? cause : known.firstCause;
        return null;
    }

    /** Called every few seconds: says what has gathered for a minute, and forgets what did not fail for one. */
    public void tell() {
        List<String> lines = new ArrayList<>();
        synchronized (this) {
            long now = clock.getAsLong();
            open.entrySet().removeIf(entry -> {
                Complaint complaint = entry.getValue();
                if (now - complaint.saidAt < MINUTE) {
                    return false;
                }
                boolean quiet = complaint.count == 0;
                addLine(entry.getKey(), complaint, lines);
                complaint.saidAt = now;
                return quiet;
            });
        }
        lines.forEach(log);
    }

    private static void addLine(String what, Complaint complaint, List<String> lines) {
        if (complaint.count > 0) {
            lines.add("%s: %d more times within a minute, the first: %s"
                    .formatted(what, complaint.count, complaint.firstCause));
            complaint.count = 0;
            complaint.firstCause = null;
        }
    }

    /** One line: what was said last, and what was said first when that is something else. */
    private static String cause(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String outer = text(failure);
        String text = root == failure || outer.contains(text(root)) ? outer : outer + ": " + text(root);
        return text.length() <= LONGEST_CAUSE ? text : text.substring(0, LONGEST_CAUSE) + "…";
    }

    private static String text(Throwable failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : message.strip().replaceAll("[\\s\\p{Cntrl}]+", " ");
    }
}
