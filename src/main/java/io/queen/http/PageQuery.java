package io.queen.http;

import io.queen.message.Page;
import org.jboss.resteasy.reactive.RestQuery;

/** Which part of a list is wanted. */
public final class PageQuery {
    /** Elements of one answer at most: it is built in memory. */
    static final int MAX_LIMIT = 10_000;
    /** For lists that a client expects to get whole: queues, partitions, namespaces. */
    static final int MANY = 1000;

    @RestQuery
    String limit;

    @RestQuery
    String offset;

    /** The page, of so many elements when the client does not say. */
    Page page(int defaultLimit) {
        return new Page(
                Parameters.between(1, Parameters.number(limit, "limit", defaultLimit), MAX_LIMIT),
                Parameters.between(0, Parameters.number(offset, "offset", 0), Integer.MAX_VALUE));
    }
}
