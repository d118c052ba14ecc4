package io.queen.history;

import io.queen.history.Client.Answer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.awaitility.Awaitility;

/** Push maintenance, and what it holds back. */
public final class Maintenance {
    private static final String PATH = "/api/v1/system/maintenance";
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private Maintenance() {}

    /** Switches it for all servers. */
    public static void push(Installation installation, boolean on) {
        Client client = new Client(installation);
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> client.post(0, PATH, new JsonObject().put("enabled", on))
                                .status()
                        == 200);
    }

    /** How many messages the servers still have to give to the database; 1 at least when one can't say. */
    static long heldBack(Client client) {
        long sum = 0;
        for (int server = 0; server < Installation.SERVERS; server++) {
            Answer answer = client.get(server, PATH);
            sum += answer.status() == 200 ? answer.object().getLong("bufferedMessages") : 1;
        }
        return sum;
    }
}
