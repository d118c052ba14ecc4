package io.queen.bench;

import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Requests as the bytes that are sent. Names hold letters, digits, dots and dashes only, so nothing is escaped. */
final class Requests {
    private static final int PAYLOAD_FRAME = "{\"n\":,\"x\":\"\"}".length();

    private final String path;
    private final String headers;
    private final int payloadBytes;

    Requests(ServerAddress address, int payloadBytes) {
        this.path = address.path();
        this.headers = " HTTP/1.1\r\nHost: " + address.host() + ":" + address.port() + "\r\n"
                + (address.token() == null ? "" : "Authorization: Bearer " + address.token() + "\r\n");
        this.payloadBytes = payloadBytes;
    }

    byte[] get(String route) {
        return bytes("GET " + path + route + headers + "\r\n");
    }

    byte[] delete(String route) {
        return bytes("DELETE " + path + route + headers + "\r\n");
    }

    private byte[] post(String route, String body) {
        return bytes("POST " + path + route + headers + "Content-Type: application/json\r\nContent-Length: "
                + bytes(body).length + "\r\n\r\n" + body);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A number, and as much text as makes up the size of a payload. */
    String payload(long number) {
        String digits = Long.toString(number);
        int rest = Math.max(0, payloadBytes - PAYLOAD_FRAME - digits.length());
        return "{\"n\":" + digits + ",\"x\":\"" + "x".repeat(rest) + "\"}";
    }

    /** A message to be pushed; partitions have numbers here. */
    String message(String queue, long partition, long number) {
        return "{\"queue\":\"" + queue + "\",\"partition\":\"p" + partition + "\",\"payload\":" + payload(number) + "}";
    }

    byte[] push(int count, IntFunction<String> messages) {
        return post("/api/v1/push", "{\"items\":[" + join(count, messages) + "]}");
    }

    /** Of any partition, by a group that starts at the beginning; {@code more} are further parameters. */
    byte[] pop(String queue, String group, int batch, String more) {
        return get("/api/v1/pop/queue/" + queue + "?batch=" + batch + "&consumerGroup=" + group
                + "&subscriptionMode=all" + more);
    }

    byte[] popPartition(String queue, int partition, String group, int batch) {
        return pop(queue + "/partition/p" + partition, group, batch, "");
    }

    byte[] ack(Popped popped) {
        return post(
                "/api/v1/ack/batch",
                "{\"consumerGroup\":\"" + popped.group() + "\",\"acknowledgments\":[" + acks(popped, "") + "]}");
    }

    /** Acknowledges what was popped and pushes as many messages, all or nothing. */
    byte[] transaction(Popped popped, IntFunction<String> messages) {
        return post(
                "/api/v1/transaction",
                "{\"requiredLeases\":[\"" + popped.messages().get(0).leaseId() + "\"],\"operations\":["
                        + acks(popped, "\"type\":\"ack\",\"consumerGroup\":\"" + popped.group() + "\",")
                        + ",{\"type\":\"push\",\"items\":[" + join(popped.size(), messages) + "]}]}");
    }

    private static String acks(Popped popped, String more) {
        return join(popped.size(), i -> {
            Popped.Message message = popped.messages().get(i);
            return "{" + more + "\"transactionId\":\"" + message.transactionId() + "\",\"partitionId\":\""
                    + message.partitionId() + "\",\"leaseId\":\"" + message.leaseId() + "\",\"status\":\"completed\"}";
        });
    }

    private static String join(int count, IntFunction<String> parts) {
        return IntStream.range(0, count).mapToObj(parts).collect(Collectors.joining(","));
    }
}
