package io.queen.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** A connection on which bytes are sent as they are, because no decent client would send them. */
public final class RawHttp implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 30_000;

    private final Socket socket;
    private final InputStream in;

    /** What came: the status (0 when the connection ended without one), headers by names in lower case, and the body. */
    public record Answer(int status, Map<String, String> headers, String body) {
        public boolean closes() {
            return "close".equalsIgnoreCase(headers.get("connection"));
        }
    }

    public RawHttp(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    public RawHttp send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    public RawHttp send(byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
        return this;
    }

    /** A push of so many bytes, of which the sender may or may not send all. */
    public RawHttp announce(long length) throws IOException {
        return send("POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length + "\r\n\r\n");
    }

    public RawHttp announceChunks() throws IOException {
        return send("POST /api/v1/push HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    public RawHttp chunk(byte[] bytes) throws IOException {
        return send(Integer.toHexString(bytes.length) + "\r\n").send(bytes).send("\r\n");
    }

    public Answer answer() throws IOException {
        Answer head = head();
        return new Answer(head.status(), head.headers(), body(head));
    }

    /** The answer to a request whose answer has no body, whatever its headers say. */
    public Answer head() throws IOException {
        String first = line();
        if (first != null && !first.startsWith("HTTP/")) {
            throw new IOException("not an answer: " + first);
        }
        Map<String, String> headers = new HashMap<>();
        String line = first == null ? null : line();
        for (; line != null && !line.isEmpty(); line = line()) {
            String[] parts = line.split(":", 2);
            headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1].strip());
        }
        return line == null
                ? new Answer(0, Map.of(), "")
                : new Answer(Integer.parseInt(first.split(" ", 3)[1]), headers, "");
    }

    private String body(Answer head) throws IOException {
        byte[] body = "chunked".equals(head.headers().get("transfer-encoding"))
                ? chunks()
                : in.readNBytes(Integer.parseInt(head.headers().getOrDefault("content-length", "0")));
        return new String(body, StandardCharsets.UTF_8);
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = size(); size > 0; size = size()) {
            body.writeBytes(in.readNBytes(size));
            line();
        }
        line();
        return body.toByteArray();
    }

    private int size() throws IOException {
        String line = line();
        if (line == null) {
            throw new EOFException("closed before the last chunk");
        }
        return Integer.parseInt(line, 16);
    }

    /** Null when the connection ends before the line does. */
    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return null;
            }
            line.append((char) c);
        }
        return line.toString().stripTrailing();
    }

    /** Sends these bytes and nothing more, and gives all that comes until the server closes; nothing if it resets. */
    public String exchange(byte[] bytes) throws IOException {
        try {
            send(bytes);
            socket.shutdownOutput();
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether this side still keeps it open. */
    public boolean isOpen() {
        return !socket.isClosed();
    }

    /** Whether the server has closed it, which it does sooner or later when it said so. */
    public boolean ends() throws IOException {
        return in.read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
