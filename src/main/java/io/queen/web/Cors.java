package io.queen.web;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/**
 * A browser page of any origin may call Queen: tokens travel in a header, never in a cookie, so a foreign page can do
 * nothing that its author could not do without the browser. Constant headers, set before anything else runs, so that
 * errors carry them too.
 */
final class Cors {
    private static final CharSequence ORIGIN = HttpHeaders.createOptimized("Access-Control-Allow-Origin");
    private static final CharSequence METHODS = HttpHeaders.createOptimized("Access-Control-Allow-Methods");
    private static final CharSequence HEADERS = HttpHeaders.createOptimized("Access-Control-Allow-Headers");
    private static final CharSequence MAX_AGE = HttpHeaders.createOptimized("Access-Control-Max-Age");
    private static final CharSequence ANY_ORIGIN = HttpHeaders.createOptimized("*");
    private static final CharSequence ALL_METHODS = HttpHeaders.createOptimized("GET, POST, PUT, DELETE, OPTIONS");
    private static final CharSequence OUR_HEADERS = HttpHeaders.createOptimized("Content-Type, Authorization");
    private static final CharSequence A_DAY = HttpHeaders.createOptimized("86400");

    private Cors() {}

    static void addHeaders(HttpServerResponse response) {
        response.headers()
                .set(ORIGIN, ANY_ORIGIN)
                .set(METHODS, ALL_METHODS)
                .set(HEADERS, OUR_HEADERS)
                .set(MAX_AGE, A_DAY);
    }
}
