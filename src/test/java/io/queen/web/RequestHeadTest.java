package io.queen.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadTest {

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a/b?c=d&e=%C3%A9%2f", "/a;b=(c)!$'*+,~:@", "*", "/a?b=[c]", "http://x/y"})
    void uri_whichIsOne_isTaken(String uri) {
        assertThat(RequestHead.flaw(head(HttpVersion.HTTP_1_1, uri, "x"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%", "/%4", "/%zz", "/a?b=%", "/a?b=%0", "/%C3%", "/a{b}", "/a\"b", "/a\\b", "/a|b"})
    void uri_whichIsNone_isAFlaw(String uri) {
        assertThat(RequestHead.flaw(head(HttpVersion.HTTP_1_1, uri, "x"))).contains("escape");
    }

    @Test
    void host_missing_isAFlawInHttp11Alone() {
        assertThat(RequestHead.flaw(head(HttpVersion.HTTP_1_1, "/"))).contains("no Host");
        assertThat(RequestHead.flaw(head(HttpVersion.HTTP_1_0, "/"))).isNull();
    }

    @Test
    void host_twice_isAFlaw() {
        assertThat(RequestHead.flaw(head(HttpVersion.HTTP_1_0, "/", "a", "b"))).contains("more than one Host");
        assertThat(RequestHead.flaw(head(HttpVersion.HTTP_1_1, "/", "a", "a"))).contains("more than one Host");
    }

    private static DefaultHttpRequest head(HttpVersion version, String uri, String... hosts) {
        DefaultHttpRequest head = new DefaultHttpRequest(version, HttpMethod.GET, uri);
        for (String host : hosts) {
            head.headers().add("hOsT", host);
        }
        return head;
    }
}
