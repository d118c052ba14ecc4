package io.queen.pop;

import io.queen.message.QueenException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;

/**
 * The consumer that asks for messages, as it is kept with a lease: the address of the connection, and after a space the name that the
 * client gives. Both are for people, nothing is decided by them. What a caller says of its address in a header is not
 * believed, unless Quarkus was told which proxies to trust.
 */
final class Holder {
    static final String HEADER = "X-Queen-Consumer";
    private static final int MAX_NAME = 100;
    private static final String NO_ADDRESS = "local";

    private Holder() {}

    static String of(HttpServerRequest request, String name) {
        SocketAddress remote = request.remoteAddress();
        String address = remote == null ? null : remote.hostAddress();
        return of(address == null ? NO_ADDRESS : address, name);
    }

    static String of(String address, String name) {
        if (name == null || name.isBlank()) {
            return address;
        }
        if (name.length() > MAX_NAME || !name.chars().allMatch(Holder::isPrintable)) {
            throw QueenException.invalid(HEADER, "must have at most " + MAX_NAME + " printable ASCII characters");
        }
        return address + ' ' + name.strip();
    }

    private static boolean isPrintable(int character) {
        return character >= ' ' && character <= '~';
    }
}
