package io.queen.fuzz;

import io.queen.fuzz.Mutation.Request;
import io.queen.testing.RawHttp;
import io.queen.testing.RawHttp.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Sends one request after the other over one connection, and opens another when the server has closed it. */
final class Wire implements AutoCloseable {
    private final int port;
    private RawHttp connection;

    Wire(int port) {
        this.port = port;
    }

    /** A whole request. */
    Answer ask(Request request) throws IOException {
        if (connection == null) {
            connection = new RawHttp(port);
        }
        connection.send(bytes(request));
        Answer answer = request.method().equals("HEAD") ? connection.head() : connection.answer();
        if (answer.closes()) {
            close();
        }
        return answer;
    }

    private static byte[] bytes(Request request) {
        byte[] body = request.body() == null ? new byte[0] : request.body();
        String head = request.method() + " " + request.target()
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + (request.body() == null ? "" : "Content-Length: " + body.length + "\r\n") + "\r\n";
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        all.writeBytes(body);
        return all.toByteArray();
    }

    /** Any bytes, then nothing more: whatever comes back, on a connection of its own. */
    String send(byte[] bytes) throws IOException {
        close();
        try (RawHttp once = new RawHttp(port)) {
            return once.exchange(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }
}
