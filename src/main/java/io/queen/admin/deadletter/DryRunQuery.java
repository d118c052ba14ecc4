package io.queen.admin.deadletter;

import io.queen.web.QueryParams;
import org.jboss.resteasy.reactive.RestQuery;

/** Whether the caller only wants to know what would happen. */
public final class DryRunQuery {
    @RestQuery
    String dryRun;

    boolean asked() {
        return QueryParams.flag(dryRun, "dryRun", false);
    }
}
