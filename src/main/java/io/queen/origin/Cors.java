package io.queen.origin;

import io.queen.config.QueenConfig;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;

/**
 * Tells browsers which pages may read the answers: those of the origins that are listed. Without a list, those of all
 * origins when tokens are asked for, which no browser sends by itself, and else of none.
 *
 * <p>Set before anything else runs, so that errors carry the headers too. Quarkus' own filter is not used: it gives none
 * to a request without {@code Origin}, which the contract does, answers a preflight with 200, and refuses without a body.
 */
@Singleton
public final class Cors {
    private static final CharSequence ORIGIN = HttpHeaders.createOptimized("Access-Control-Allow-Origin");
    private static final CharSequence METHODS = HttpHeaders.createOptimized("Access-Control-Allow-Methods");
    private static final CharSequence HEADERS = HttpHeaders.createOptimized("Access-Control-Allow-Headers");
    private static final CharSequence MAX_AGE = HttpHeaders.createOptimized("Access-Control-Max-Age");
    private static final CharSequence ANY_ORIGIN = HttpHeaders.createOptimized("*");
    private static final CharSequence ALL_METHODS = HttpHeaders.createOptimized("GET, POST, PUT, DELETE, OPTIONS");
    private static final CharSequence OUR_HEADERS = HttpHeaders.createOptimized("Content-Type, Authorization");
    private static final CharSequence A_DAY = HttpHeaders.createOptimized("86400");

    private final Set<String> listed;
    private final boolean any;

    Cors(QueenConfig config) {
        this.listed = Set.copyOf(config.cors().origins().orElse(List.of()));
        this.any = config.jwt().enabled() && listed.isEmpty();
    }

    boolean lists(String origin) {
        return listed.contains(origin);
    }

    public void addHeaders(HttpServerRequest request) {
        if (any) {
            allow(request, ANY_ORIGIN);
        } else if (!listed.isEmpty()) {
            String origin = request.getHeader(HttpHeaders.ORIGIN);
            request.response().headers().set(HttpHeaders.VARY, HttpHeaders.ORIGIN);
            if (origin != null && lists(origin)) {
                allow(request, origin);
            }
        }
    }

    private static void allow(HttpServerRequest request, CharSequence origin) {
        request.response()
                .headers()
                .set(ORIGIN, origin)
                .set(METHODS, ALL_METHODS)
                .set(HEADERS, OUR_HEADERS)
                .set(MAX_AGE, A_DAY);
    }
}
