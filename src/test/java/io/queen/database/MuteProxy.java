package io.queen.database;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Passes bytes on, and says nothing when PostgreSQL hangs up. */
final class MuteProxy implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;

    MuteProxy(int target) throws IOException {
        this.target = target;
        daemon(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = server.accept();
            Socket postgres = new Socket(InetAddress.getLoopbackAddress(), target);
            daemon(() -> client.getInputStream().transferTo(postgres.getOutputStream()));
            daemon(() -> postgres.getInputStream().transferTo(new Untold(client)));
        }
    }

    /** The last words of PostgreSQL (it ends the session) do not arrive either. */
    private static final class Untold extends OutputStream {
        private final Socket client;

        Untold(Socket client) {
            this.client = client;
        }

        @Override
        public void write(int single) throws IOException {
            client.getOutputStream().write(single);
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            String text = new String(bytes, start, length, StandardCharsets.ISO_8859_1);
            if (!text.contains("57P01")) {
                client.getOutputStream().write(bytes, start, length);
            }
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void daemon(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // Closed.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
