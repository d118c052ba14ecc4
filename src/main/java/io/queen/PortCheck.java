package io.queen;

import io.queen.config.HttpConfigSource;
import io.queen.config.SettingsException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.config.Config;

/**
 * Looks whether the port is free before anything else is started. The server listens last, when its database has run for
 * seconds and has its schema: too late to say that it was in vain.
 */
final class PortCheck {
    private static final String PORT = "6632";

    private PortCheck() {}

    static void requireFree(Config config) {
        UnaryOperator<String> values =
                name -> config.getOptionalValue(name, String.class).orElse(null);
        String port = HttpConfigSource.first(values, PORT, "queen.http.port", "PORT");
        // What is no port is refused later, by the check of all values.
        if (port.matches("[0-9]{1,5}") && Integer.parseInt(port) < 1 << 16) {
            requireFree(HttpConfigSource.host(values), Integer.parseInt(port));
        }
    }

    static void requireFree(String host, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // as the server does: connections of one that has just ended do not count
            socket.bind(new InetSocketAddress(host, port));
        } catch (BindException e) {
            throw new SettingsException(StartFailure.portInUse(port));
        } catch (IOException | IllegalArgumentException e) {
            // Another trouble, with a better word for it than ours: the server will meet it too.
        }
    }
}
