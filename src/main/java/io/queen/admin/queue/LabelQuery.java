package io.queen.admin.queue;

import io.queen.web.QueryParams;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jboss.resteasy.reactive.RestQuery;

/** Which queues are wanted, by what they are labelled with. */
public final class LabelQuery {
    @RestQuery
    @Parameter(description = "Only queues of this namespace")
    String namespace;

    @RestQuery
    @Parameter(description = "Only queues of this task")
    String task;

    String namespaceName() {
        return QueryParams.name(namespace, "namespace");
    }

    String taskName() {
        return QueryParams.name(task, "task");
    }
}
