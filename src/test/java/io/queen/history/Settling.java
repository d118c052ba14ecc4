package io.queen.history;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;

/**
 * Waits until an installation serves again: each event loop of each server has its own way to PostgreSQL, so it is asked
 * on several new connections, which the server spreads over its event loops, and all of them must get through.
 */
final class Settling {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int CONNECTIONS = 6 * Installation.EVENT_LOOPS;

    private final Installation installation;
    private final History history;

    Settling(Installation installation, History history) {
        this.installation = installation;
        this.history = history;
    }

    void await() {
        for (int number = 0; number < Installation.SERVERS; number++) {
            int server = number;
            installation.server(server).awaitReady();
            Awaitility.await().atMost(LIMIT).until(() -> allConnectionsServe(server));
        }
    }

    private boolean allConnectionsServe(int server) {
        for (int i = 0; i < CONNECTIONS; i++) {
            Session fresh = new Session(new Client(installation), history);
            Item item = new Item("settling/" + server, UUID.randomUUID().toString(), i);
            if (fresh.push(server, List.of(item)).get(0).outcome() != Outcome.APPLIED) {
                return false;
            }
        }
        return true;
    }
}
