package io.queen.web;

import io.queen.message.Page;
import org.jboss.resteasy.reactive.RestQuery;

/** Which part of a list is wanted. */
public final class PageQuery {
    /** Elements of one answer at most: it is built in memory. */
    public static final int MAX_LIMIT = 10_000;
    /** For lists that a client expects to get whole: queues, partitions, namespaces. */
    public static final int MANY = 1000;

    @RestQuery
    String limit;

    @RestQuery
    String offset;

    /** The page, of so many elements when the client does not say. */
    public Page page(int defaultLimit) {
        return new Page(
                QueryParams.between(1, QueryParams.number(limit, "limit", defaultLimit), MAX_LIMIT),
                QueryParams.between(0, QueryParams.number(offset, "offset", 0), Integer.MAX_VALUE));
    }
}
