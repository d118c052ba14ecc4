package io.queen.http;

import org.jboss.resteasy.reactive.RestQuery;

/** Whom a redriven message is for. */
public final class RedriveQuery {
    @RestQuery
    String allGroups;

    boolean toAllGroups() {
        return Parameters.flag(allGroups, "allGroups", false);
    }
}
