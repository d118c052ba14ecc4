package io.queen.origin;

import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Keeps web pages of others out while no token is asked for: a browser reaches the server of the person in front of it,
 * and sends whatever a page tells it to, so that the page could do all that this person may do. A browser tells where a
 * request comes from, in headers that a page can't set:
 *
 * <ul>
 *   <li>{@code Origin}, with all but plain GETs: it must be the origin of this server, or a listed one;
 *   <li>{@code Sec-Fetch-Site}, with plain GETs too, such as that of an image: a pop takes messages. A link to a page, from
 *       elsewhere, may be followed; one into the API may not;
 *   <li>{@code Host}, the name by which the page knows this server. A page of evil.example, whose name leads to 127.0.0.1 a
 *       moment later (DNS rebinding), is of the same origin as this server to the browser: on loopback the name must be one
 *       of this machine.
 * </ul>
 *
 * <p>Clients that are not browsers send neither of the first two, and the name of the server in the third.
 */
@Singleton
public final class OriginCheck {
    private static final Logger LOG = Logger.getLogger(OriginCheck.class);
    private static final CharSequence FETCH_SITE = HttpHeaders.createOptimized("Sec-Fetch-Site");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[?::1]?");
    /** Nothing of the API, in any spelling of its path. */
    private static final Pattern PAGE =
            Pattern.compile("/|/(?!(?:api|internal|streams)(?:/|$))[\\w-][\\w.-]*(?:/[\\w-][\\w.-]*)*/?");

    private static final String PAGES_OF_OTHERS =
            "A web page of another origin may not call this server while it asks for"
                    + " no tokens; list the origin in QUEEN_CORS_ORIGINS, or set JWT_ENABLED=true";
    private static final String OTHER_NAME =
            "The Host header has a name that is not one of this server, which listens on"
                    + " loopback and asks for no tokens; use localhost, set HOST, or list an origin with that name in"
                    + " QUEEN_CORS_ORIGINS";

    private final Cors cors;
    private final String host;
    private final boolean tokens;
    private final boolean loopback;
    private final Set<String> ownNames;
    /** The last {@code Host} that was found to be one of this server: nearly always the next one too. */
    private volatile String known = "";

    OriginCheck(QueenConfig config, @ConfigProperty(name = "quarkus.http.host") String host, Cors cors) {
        this.cors = cors;
        this.host = host;
        this.tokens = config.jwt().enabled();
        this.loopback = isLoopback(host);
        this.ownNames = config.cors().origins().orElse(List.of()).stream()
                .map(origin -> name(authority(origin)))
                .collect(Collectors.toSet());
        ownNames.add(name(host));
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Before the schema (1), whose database may be away for long. */
    void warn(@Observes @Priority(0) StartupEvent start) {
        if (!tokens && !loopback) {
            LOG.warnf(
                    "Listening on %s without tokens: anyone who can reach this server may do anything. Set"
                            + " JWT_ENABLED=true, or HOST=127.0.0.1 (docs/security.md)",
                    host);
        }
    }

    /** Why the request is refused: a page of others has sent it. Null when it is not. */
    public String flaw(HttpServerRequest request) {
        if (tokens) {
            return null;
        }
        String authority = authority(request);
        if (loopback && authority != null && !authority.equals(known)) {
            if (!isOwn(name(authority))) {
                return OTHER_NAME;
            }
            known = authority;
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        boolean foreign = origin == null
                ? isForeignFetch(request)
                : !cors.lists(origin) && !authority(origin).equalsIgnoreCase(authority);
        return foreign ? PAGES_OF_OTHERS : null;
    }

    /** What the client called this server; null when it did not, as in HTTP/1.0. */
    private static String authority(HttpServerRequest request) {
        return request.version() == HttpVersion.HTTP_2
                ? String.valueOf(request.authority())
                : request.getHeader(HttpHeaders.HOST);
    }

    private boolean isOwn(String name) {
        return LOOPBACK.matcher(name).matches() || ownNames.contains(name);
    }

    /** Without the port. */
    private static String name(String authority) {
        int colon = authority.lastIndexOf(':');
        return (colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority)
                .toLowerCase(Locale.ROOT);
    }

    /** What follows the scheme, which is not compared: a proxy may have taken off TLS. */
    private static String authority(String origin) {
        int end = origin.indexOf("://");
        return end < 0 ? "" : origin.substring(end + 3);
    }

    private static boolean isForeignFetch(HttpServerRequest request) {
        String site = request.getHeader(FETCH_SITE);
        return site != null && !site.equals("same-origin") && !site.equals("none") && !isLink(request);
    }

    /** A page that is opened in a tab, not in a frame. */
    private static boolean isLink(HttpServerRequest request) {
        return HttpMethod.GET.equals(request.method())
                && "navigate".equals(request.getHeader("Sec-Fetch-Mode"))
                && "document".equals(request.getHeader("Sec-Fetch-Dest"))
                && PAGE.matcher(request.path()).matches();
    }
}
