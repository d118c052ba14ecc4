package io.queen.bench;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Requests as the bytes that are sent. Names hold letters, digits, dots and dashes only, so nothing is escaped. */
final class Requests {
    private final String path;
    private final String headers;

    Requests(Target target) {
        this.path = target.path();
        this.headers = " HTTP/1.1\r\nHost: " + target.host() + ":" + target.port() + "\r\n"
                + (target.token() == null ? "" : "Authorization: Bearer " + target.token() + "\r\n");
    }

    /** A message on its way: where to, and its payload as JSON. */
    record Item(String queue, String partition, String payload) {
        @Override
        public String toString() {
            return "{\"queue\":\"" + queue + "\",\"partition\":\"" + partition + "\",\"payload\":" + payload + "}";
        }
    }

    byte[] get(String route) {
        return ("GET " + path + route + headers + "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    byte[] delete(String route) {
        return ("DELETE " + path + route + headers + "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    byte[] post(String route, String body) {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        return ("POST " + path + route + headers + "Content-Type: application/json\r\nContent-Length: " + length
                        + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
    }

    byte[] push(int count, IntFunction<Item> items) {
        return post("/api/v1/push", "{\"items\":[" + join(count, items) + "]}");
    }

    /** A pop that starts a group at the beginning; {@code more} are further parameters. */
    byte[] pop(String queue, String partition, String group, int batch, String more) {
        String lane = partition == null ? "" : "/partition/" + partition;
        return get("/api/v1/pop/queue/" + queue + lane + "?batch=" + batch + "&consumerGroup=" + group
                + "&subscriptionMode=all" + more);
    }

    byte[] ack(Popped popped, String group) {
        return post(
                "/api/v1/ack/batch",
                "{\"consumerGroup\":\"" + group + "\",\"acknowledgments\":[" + acks(popped, "") + "]}");
    }

    /** Acknowledges what was popped and pushes as many messages, all or nothing. */
    byte[] transaction(Popped popped, String group, IntFunction<Item> items) {
        List<Popped.Message> messages = popped.messages();
        return post(
                "/api/v1/transaction",
                "{\"requiredLeases\":[\"" + messages.get(0).leaseId() + "\"],\"operations\":["
                        + acks(popped, "\"type\":\"ack\",\"consumerGroup\":\"" + group + "\",")
                        + ",{\"type\":\"push\",\"items\":[" + join(messages.size(), items) + "]}]}");
    }

    private static String acks(Popped popped, String more) {
        return popped.messages().stream()
                .map(message -> "{" + more + "\"transactionId\":\"" + message.transactionId() + "\",\"partitionId\":\""
                        + message.partitionId() + "\",\"leaseId\":\"" + message.leaseId()
                        + "\",\"status\":\"completed\"}")
                .collect(Collectors.joining(","));
    }

    private static String join(int count, IntFunction<Item> items) {
        return IntStream.range(0, count)
                .mapToObj(i -> items.apply(i).toString())
                .collect(Collectors.joining(","));
    }
}
