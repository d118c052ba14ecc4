package io.queen.database;

import io.queen.config.QueenConfig;
import io.queen.config.SettingsException;

/**
 * The connections that one server may open: as many as its pools are set to, cut to its part of what all servers of the
 * database may open together, so that the last of a hundred finds one too.
 *
 * <p>Of a part, one sees that PostgreSQL is alive, one is for LISTEN, a quarter for the general pool, the rest for
 * messages. Flyway's are closed before the first of these is opened.
 *
 * @param watching the one that sees that PostgreSQL is alive, and that for LISTEN when there is one
 * @param general for everything but messages
 * @param sidecar for messages, over all event loops
 * @param part of this server in all; {@link Integer#MAX_VALUE} when nothing limits it
 */
public record ConnectionBudget(int watching, int general, int sidecar, int part) {
    private static final int GENERAL_SHARE = 4;

    public static ConnectionBudget of(QueenConfig config) {
        int part = config.database()
                .maxConnections()
                .map(all -> all / config.instances())
                .orElse(Integer.MAX_VALUE);
        boolean listens = config.pop().listen() && !config.database().pooler();
        return split(
                part, listens, config.database().poolSize(), config.sidecar().poolSize());
    }

    static ConnectionBudget split(int part, boolean listens, int generalPool, int sidecarPool) {
        int watching = listens ? 2 : 1;
        int rest = part - watching;
        int general = Math.max(1, Math.min(generalPool, rest / GENERAL_SHARE));
        return new ConnectionBudget(watching, general, Math.min(sidecarPool, rest - general), part);
    }

    /** All that this server opens when it may. */
    public int total() {
        return watching + general + sidecar;
    }

    /** For a person: how many, and what for. */
    public String describe() {
        return "%d (%d for messages, %d for all else, %d to watch)".formatted(total(), sidecar, general, watching);
    }

    /** Each event loop needs a connection of its own: fewer than that are refused, not exceeded. */
    public void requireFor(int loops) {
        if (part < Integer.MAX_VALUE && sidecar < loops) {
            throw new SettingsException(
                    "queen.database.max-connections, divided by queen.instances, leaves this server "
                            + part + " connections, of which " + Math.max(0, sidecar) + " are for messages, and it has "
                            + loops
                            + " event loops that need one each. Allow more, have fewer event loops (NUM_WORKERS), or put a"
                            + " pooler in between (queen.database.pooler).");
        }
    }
}
