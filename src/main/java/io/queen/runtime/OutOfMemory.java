package io.queen.runtime;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Ends the process after an OutOfMemoryError: an event loop may have died of it, and a server that only looks alive is
 * not restarted. Our images have the JVM do this by a switch; here is the same for a start without it. The JVM does not
 * say when it happens, so it is looked for where it shows: in threads that end of it, in connections, in the error
 * answer, and in the log, where code that survived one reports it.
 *
 * <p>As with {@code kill -9}, which every part of the server survives: with no memory left nothing can be put in order.
 */
@Singleton
public final class OutOfMemory {
    /** That of the JVM's own switch. */
    static final int EXIT_CODE = 3;

    private static final int DEPTH = 16;
    /** Made before it is needed: then there is no memory to make it in. */
    private static final byte[] LAST_WORDS =
            "Queen has run out of memory and ends. Give it a larger heap (-Xmx).\n".getBytes(StandardCharsets.UTF_8);

    void begin(@Observes StartupEvent event) {
        if (LaunchMode.current() == LaunchMode.NORMAL) {
            Thread.UncaughtExceptionHandler others = Thread.getDefaultUncaughtExceptionHandler();
            Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught(others, thread, failure));
            Logger.getLogger("").addHandler(new Listener());
        }
    }

    /** Called for any failure of unknown cause; does not return when it is of memory. */
    public static void check(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEPTH; depth++) {
            if (cause instanceof OutOfMemoryError && LaunchMode.current() == LaunchMode.NORMAL) {
                end();
            }
            cause = cause.getCause();
        }
    }

    private static void uncaught(Thread.UncaughtExceptionHandler others, Thread thread, Throwable failure) {
        check(failure);
        if (others != null) {
            others.uncaughtException(thread, failure);
        } else {
            Logger.getLogger(OutOfMemory.class.getName())
                    .log(java.util.logging.Level.SEVERE, "A thread has ended: " + thread.getName(), failure);
        }
    }

    private static void end() {
        try (FileOutputStream console = new FileOutputStream(FileDescriptor.err)) {
            console.write(LAST_WORDS);
        } catch (IOException | OutOfMemoryError e) {
            // It ends without words.
        } finally {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    /** Reads all that is logged. */
    private static final class Listener extends Handler {
        @Override
        public void publish(LogRecord record) {
            check(record.getThrown());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
