package io.queen.web;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Iterator;
import java.util.Map;

/** What HTTP demands of a request's head and the decoder lets pass. */
final class RequestHead {
    private static final String PLAIN = "-._~/?&=:@!$'()*+,;";

    private RequestHead() {}

    /** What is wrong, in a sentence; null when nothing is. */
    static String flaw(HttpRequest head) {
        int hosts = hosts(head);
        if (hosts > 1) {
            return "The request has more than one Host header";
        }
        if (hosts == 0 && head.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            return "The request has no Host header";
        }
        return isPlain(head.uri()) || isUri(head.uri())
                ? null
                : "The path or the query has a character that must be escaped, or an escape that is not % and two hex digits";
    }

    private static int hosts(HttpRequest head) {
        int hosts = 0;
        Iterator<Map.Entry<CharSequence, CharSequence>> headers = head.headers().iteratorCharSequence();
        while (headers.hasNext()) {
            if (HttpHeaderNames.HOST.contentEqualsIgnoreCase(headers.next().getKey())) {
                hosts++;
            }
        }
        return hosts;
    }

    /** Nearly all are: letters, digits, what may stand between them, and escapes. */
    private static boolean isPlain(String uri) {
        for (int at = 0; at < uri.length(); at++) {
            char letter = uri.charAt(at);
            if (letter == '%' ? !isEscape(uri, at) : !isPlain(letter)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPlain(char letter) {
        return letter < 128 && (Character.isLetterOrDigit(letter) || PLAIN.indexOf(letter) >= 0);
    }

    private static boolean isEscape(String uri, int at) {
        return at + 2 < uri.length() && isHex(uri.charAt(at + 1)) && isHex(uri.charAt(at + 2));
    }

    private static boolean isHex(char digit) {
        return digit < 128 && Character.digit(digit, 16) >= 0;
    }

    /** What Quarkus asks before it hands a request on, and else answers without a body. */
    private static boolean isUri(String uri) {
        try {
            return new URI(uri).getRawPath() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
