package io.queen.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.netty.channel.EventLoopGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One server with all that a scenario needs there: connections, queues that are deleted at the end, what it uses.
 *
 * @param database null when its PostgreSQL is not known
 * @param pid null when its process is not known
 * @param queues to be deleted
 */
record BenchServer(
        ServerAddress address,
        EventLoopGroup loops,
        Settings settings,
        Progress progress,
        DatabaseFiguresStore database,
        Long pid,
        Requests requests,
        List<String> queues) {

    HttpConnection open() {
        return new HttpConnection(address, loops.next());
    }

    Answer ask(byte[] request) {
        HttpConnection connection = open();
        try {
            return connection.askAndWait(request);
        } finally {
            connection.close();
        }
    }

    /** As many as there are to be connections. */
    List<Worker> workers(Consumer<Worker> attempt) {
        return workers(Worker::ready, attempt);
    }

    List<Worker> workers(Consumer<Worker> preparation, Consumer<Worker> attempt) {
        return Stream.generate(() -> new Worker(this, preparation, attempt))
                .limit(settings.connections)
                .toList();
    }

    /** The name of a new queue, remembered to be deleted. */
    String newQueue(String stem) {
        String name = settings.prefix + "-" + address.name() + "-" + stem + "-"
                + Long.toString(System.nanoTime(), Character.MAX_RADIX);
        synchronized (queues) {
            queues.add(name);
        }
        return name;
    }

    /** Fails when the server is not there, before anything else is tried. */
    void check() {
        Answer answer = ask(requests.get("/health"));
        if (answer.status() == 0) {
            throw new BenchException("Cannot reach " + address + " (" + answer.problem() + ")");
        }
    }

    ResourceUsage usage() {
        Answer metrics = ask(requests.get("/metrics"));
        JsonNode json = metrics.succeeded() ? metrics.json() : MissingNode.getInstance();
        return ResourceUsage.read(json, pid, database == null ? Map.of() : database.read());
    }

    /** Deletes the queues; those that can't be deleted are named. */
    void deleteQueues() {
        List<String> names;
        synchronized (queues) {
            names = new ArrayList<>(queues);
            queues.clear();
        }
        for (String name : names) {
            Answer answer = ask(requests.delete("/api/v1/resources/queues/" + name));
            if (!answer.succeeded()) {
                progress.say("The queue " + name + " stays on " + address + ": " + answer.problem());
            }
        }
    }

    void close() {
        deleteQueues();
        if (database != null) {
            database.close();
        }
    }
}
