package io.queen.admin.deadletter;

import io.queen.web.QueryParams;
import org.jboss.resteasy.reactive.RestQuery;

/** Whom a redriven message is for. */
public final class RedriveQuery {
    @RestQuery
    String allGroups;

    public boolean toAllGroups() {
        return QueryParams.flag(allGroups, "allGroups", false);
    }
}
