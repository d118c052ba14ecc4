package io.queen.fuzz;

import io.queen.fuzz.Mutation.Request;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A connection that sends any bytes, and reads one answer, or what there is until the other side closes. */
final class Wire implements AutoCloseable {
    /** Longer than any answer takes: beyond it the server hangs. */
    private static final int PATIENCE_MILLIS = 20_000;

    private final URI server;
    private Socket socket;
    private InputStream in;

    Wire(URI server) {
        this.server = server;
    }

    /** A whole request, on the connection of the one before if that is still open. */
    Answer ask(Request request) throws IOException {
        byte[] body = request.body() == null ? new byte[0] : request.body();
        String head = request.method() + " " + request.target()
                + " HTTP/1.1\r\nHost: fuzz\r\nContent-Type: application/json\r\n"
                + (request.body() == null ? "" : "Content-Length: " + body.length + "\r\n") + "\r\n";
        connect();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        all.writeBytes(body);
        socket.getOutputStream().write(all.toByteArray());
        Answer answer = Answer.read(in, request.method().equals("HEAD"));
        if (answer.last()) {
            close();
        }
        return answer;
    }

    /** Any bytes, then nothing more: whatever comes back, on a connection of its own. */
    String send(byte[] bytes) throws IOException {
        close();
        connect();
        try {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (java.net.SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return "";
        } finally {
            close();
        }
    }

    private void connect() throws IOException {
        if (socket == null) {
            socket = new Socket(server.getHost(), server.getPort());
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        }
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
