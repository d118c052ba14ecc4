package io.queen.web;

import io.queen.message.QueenException;
import io.queen.message.TimeRange;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jboss.resteasy.reactive.RestQuery;

/** Which span of time is wanted. */
public final class RangeQuery {
    @RestQuery
    public String from;

    @RestQuery
    public String to;

    /** The span; without a start, one of this length up to its end. */
    public TimeRange range(Duration length) {
        OffsetDateTime given = end();
        OffsetDateTime end = given == null ? now() : given;
        OffsetDateTime start = start();
        return checked(new TimeRange(start == null ? end.minus(length) : start, end));
    }

    /** The span with nulls for what was not given. */
    public TimeRange given() {
        return checked(new TimeRange(start(), end()));
    }

    private OffsetDateTime start() {
        return QueryParams.given(from) == null ? null : TimeParser.parse(from, "from");
    }

    private OffsetDateTime end() {
        if (QueryParams.given(to) == null) {
            return null;
        }
        return to.equals("now") ? now() : TimeParser.parse(to, "to");
    }

    private static OffsetDateTime now() {
        return OffsetDateTime.now(ZoneOffset.UTC);
    }

    private static TimeRange checked(TimeRange range) {
        if (range.from() != null && range.to() != null && range.from().isAfter(range.to())) {
            throw QueenException.invalid("from", "must not be after to");
        }
        return range;
    }
}
