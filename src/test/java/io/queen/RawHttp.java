package io.queen;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection on which bytes are sent as they are, because no decent client would send them. */
public final class RawHttp implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 30_000;

    private final Socket socket;

    /** What came: the status (0 when the connection ended without one), the head in lower case and the body. */
    public record Answer(int status, String head, String body) {
        public boolean closes() {
            return head.contains("connection: close");
        }
    }

    public RawHttp(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
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
        return send("POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n");
    }

    public RawHttp announceChunks() throws IOException {
        return send("POST /api/v1/push HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    public RawHttp chunk(byte[] bytes) throws IOException {
        return send(Integer.toHexString(bytes.length) + "\r\n").send(bytes).send("\r\n");
    }

    public Answer answer() throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return new Answer(0, "", "");
            }
            head.append((char) next);
        }
        String text = head.toString().toLowerCase(Locale.ROOT);
        int status = Integer.parseInt(text.split(" ", 3)[1]);
        return new Answer(status, text, new String(in.readNBytes(length(text)), StandardCharsets.UTF_8));
    }

    private static int length(String head) {
        return head.lines()
                .filter(line -> line.startsWith("content-length:"))
                .map(line -> Integer.valueOf(
                        line.substring("content-length:".length()).strip()))
                .findFirst()
                .orElse(0);
    }

    /** Whether the server has closed it, which it does sooner or later when it said so. */
    public boolean ends() throws IOException {
        return socket.getInputStream().read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
