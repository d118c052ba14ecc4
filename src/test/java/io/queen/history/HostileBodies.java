package io.queen.history;

import io.queen.testing.RawHttp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Bodies as no decent client sends them: announced and not sent, sent byte by byte, and in chunks without end. */
final class HostileBodies implements Runnable {
    private static final int OF_EACH_KIND = 12;
    private static final int CHUNKS = 40;
    private static final int STEPS = 20;
    private static final byte[] MEGABYTE = new byte[1 << 20];

    private final int port;

    private HostileBodies(int port) {
        this.port = port;
    }

    /** Comes back when all have been sent, or refused. */
    static void against(int port) {
        List<Thread> senders = new ArrayList<>();
        for (int i = 0; i < OF_EACH_KIND; i++) {
            senders.add(new Thread(new HostileBodies(port)));
        }
        senders.forEach(Thread::start);
        try {
            for (Thread sender : senders) {
                sender.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        try (RawHttp stalled = new RawHttp(port).announce(32 << 20).send("{\"items\":[");
                RawHttp trickle = new RawHttp(port).announceChunks().send("a");
                RawHttp endless = new RawHttp(port).announceChunks()) {
            for (int i = 0; i < CHUNKS; i++) {
                endless.chunk(MEGABYTE);
            }
            for (int i = 0; i < STEPS; i++) {
                trickle.send("0");
                Faults.pass(100);
            }
            stalled.send("{");
        } catch (IOException closed) {
            // That is what it deserves.
        }
    }
}
