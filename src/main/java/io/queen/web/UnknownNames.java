package io.queen.web;

import io.quarkus.arc.Arc;
import io.quarkus.arc.Unremovable;
import io.queen.config.QueenConfig;
import io.queen.message.QueenException;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/**
 * What becomes of names of fields and query parameters that Queen does not know. Passed over in silence, a typo stores
 * the wrong thing ({@code payoad}) or reads for the wrong group ({@code consumergroup}). So the answer names them in the
 * header {@code Warning} and the log names each once; with {@code queen.strict} the request is refused.
 *
 * <p>A client that invents names does no harm: a header holds a few, cut and escaped, and after a thousand the log is silent.
 */
@Singleton
@Unremovable
final class UnknownNames {
    private static final Logger LOG = Logger.getLogger(UnknownNames.class);
    private static final String HEADER = "Warning";
    private static final int NAMES_OF_A_REQUEST = 8;
    private static final int CHARACTERS_OF_A_NAME = 64;
    private static final int SHOWN = 96;
    private static final int NAMES_IN_THE_LOG = 1000;
    private static final String ESCAPED = "\"\\%,";
    /** A place in a list. Compiled once: a body may have a million unknown fields. */
    private static final Pattern PLACE = Pattern.compile("\\[\\d+]");

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private final boolean strict;
    private final int mostLogged;
    private final Set<String> logged = new HashSet<>();
    private volatile boolean silent;

    @Inject
    UnknownNames(QueenConfig config) {
        this(config.strict(), NAMES_IN_THE_LOG);
    }

    UnknownNames(boolean strict, int mostLogged) {
        this.strict = strict;
        this.mostLogged = mostLogged;
    }

    /** The names of one request, without the places in lists: {@code items[].payoad}. */
    static final class Found {
        private final Set<String> names = new LinkedHashSet<>();
        private boolean more;

        private void add(String place, String name) {
            if (names.size() < NAMES_OF_A_REQUEST) {
                String shown = safe(PLACE.matcher(place).replaceAll("[]") + name);
                names.add(shown.length() > SHOWN ? shown.substring(0, SHOWN) + "..." : shown);
            } else {
                more = true;
            }
        }

        /** The value of the header: code 299 is a warning that stays true when the request is sent again. */
        String warning() {
            return "299 - \"unknown and ignored: " + String.join(", ", names) + (more ? ", and more" : "") + "\"";
        }
    }

    /**
     * Notes a name, or refuses it.
     *
     * @param found what was noted before, null for nothing
     * @param place what stands before the name: {@code items[3].}
     */
    static Found add(Found found, String place, String name) {
        UnknownNames rules = current();
        String cut = name.length() > CHARACTERS_OF_A_NAME ? name.substring(0, CHARACTERS_OF_A_NAME) + "…" : name;
        if (rules != null && rules.strict) {
            throw QueenException.unknown(place + cut);
        }
        Found noted = found == null ? new Found() : found;
        noted.add(place, cut);
        return noted;
    }

    /** Tells the client of the current request what was noted, and the log what it has not heard yet. */
    static void tell(Found found) {
        UnknownNames rules = found == null ? null : current();
        if (rules == null) {
            return;
        }
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        request.serverResponse().addResponseHeader(HEADER, found.warning());
        String route = ApiRoutes.name(request.getTarget());
        found.names.forEach(name -> rules.log(name, route));
    }

    /** Null outside of the server, where there is no client to tell. */
    private static UnknownNames current() {
        return Arc.container() == null
                ? null
                : Objects.requireNonNull(
                        Arc.container().instance(UnknownNames.class).get());
    }

    /** Whether the log was told. */
    boolean log(String name, String route) {
        if (silent || !first(name + " " + route)) {
            return false;
        }
        LOG.warnf("%s is not known at %s and was ignored; QUEEN_STRICT=true refuses such requests", name, route);
        if (silent) {
            LOG.warnf("%d unknown names were told, further ones are in the answers only", mostLogged);
        }
        return true;
    }

    private synchronized boolean first(String key) {
        boolean first = !silent && logged.add(key);
        silent = logged.size() >= mostLogged;
        return first;
    }

    /** Visible ASCII that can stand in a quoted text of a header; all else as the %XX of its UTF-8. */
    static String safe(String name) {
        StringBuilder text = new StringBuilder(name.length());
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            boolean plain = b > ' ' && b < 0x7f && ESCAPED.indexOf(b) < 0;
            if (plain) {
                text.append((char) b);
            } else {
                text.append('%').append(HEX.toHexDigits(b));
            }
        }
        return text.toString();
    }
}
