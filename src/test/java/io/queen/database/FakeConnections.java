package io.queen.database;

/** Connections that lead nowhere, for tests whose operations do not use them. */
public final class FakeConnections {
    private FakeConnections() {}

    public static Connection open() {
        return Connection.ofPool(() -> null);
    }
}
