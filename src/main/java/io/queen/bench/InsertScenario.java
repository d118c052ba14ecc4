package io.queen.bench;

import java.util.List;
import java.util.stream.IntStream;

/**
 * INSERTs of so many rows into a bare table in the server's database, past the server and as fast as they are answered:
 * what a push of as many messages is to be compared with.
 */
final class InsertScenario implements Scenario {
    private final BenchServer server;
    private final int rows;

    InsertScenario(BenchServer server, int rows) {
        this.server = server;
        this.rows = rows;
    }

    @Override
    public Round run() throws InterruptedException {
        Settings settings = server.settings();
        String payload = server.requests().payload(0);
        try (BareInsertStore inserts = new BareInsertStore(server.database().url(), settings, rows, payload)) {
            List<Inserter> inserters = IntStream.range(0, settings.connections)
                    .mapToObj(i -> new Inserter(inserts, i))
                    .toList();
            return Load.run(server, 0, inserters, List.of(), () -> 0);
        }
    }

    /** Lives on the event loop of its connection to PostgreSQL. */
    private final class Inserter extends Worker {
        private final BareInsertStore inserts;
        private final int connection;

        Inserter(BareInsertStore inserts, int connection) {
            this.inserts = inserts;
            this.connection = connection;
        }

        @Override
        void run() {
            inserts.insert(connection).onComplete(done -> {
                String problem =
                        done.succeeded() ? null : String.valueOf(done.cause().getMessage());
                finish(problem, rows, System.nanoTime());
            });
        }
    }
}
