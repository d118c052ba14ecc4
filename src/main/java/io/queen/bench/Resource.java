package io.queen.bench;

/** What is used up by messages, with the name that it has in files. */
enum Resource {
    SERVER_CPU("serverCpuMicros"),
    /** Of the generator itself. */
    CLIENT_CPU("clientCpuMicros"),
    POSTGRES_CPU("postgresCpuMicros"),
    STATEMENTS("statements"),
    TRANSACTIONS("transactions"),
    WAL("walBytes");

    private final String field;

    Resource(String field) {
        this.field = field;
    }

    String field() {
        return field;
    }
}
