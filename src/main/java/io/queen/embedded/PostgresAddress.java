package io.queen.embedded;

/** How to reach the embedded PostgreSQL. */
public record PostgresAddress(int port, String user, String password) {
    public String host() {
        return "127.0.0.1";
    }

    public String database() {
        return "queen";
    }

    public String jdbcUrl() {
        return jdbcUrl(database());
    }

    String jdbcUrl(String databaseName) {
        return "jdbc:postgresql://" + host() + ":" + port + "/" + databaseName;
    }

    /** Without the password, which must not reach a log. */
    @Override
    public String toString() {
        return user + "@" + host() + ":" + port + "/" + database();
    }
}
