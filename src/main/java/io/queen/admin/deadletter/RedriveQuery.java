package io.queen.admin.deadletter;

import io.queen.web.QueryParams;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jboss.resteasy.reactive.RestQuery;

/** Whom a redriven message is for. */
public final class RedriveQuery {
    @RestQuery
    @Parameter(description = "Push a copy for every group, instead of giving the message to the group that failed it")
    String allGroups;

    public boolean toAllGroups() {
        return QueryParams.flag(allGroups, "allGroups", false);
    }
}
