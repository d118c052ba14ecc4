package io.queen.bench;

import java.net.URI;

/**
 * Where a server is that is to be measured.
 *
 * @param name A for the first, B for the second
 * @param path what stands before {@code /api}, empty for nothing
 * @param token what goes into the Authorization header, null for none
 */
record ServerAddress(String name, String url, String host, int port, String path, String token) {
    private static final int DEFAULT_PORT = 6632;

    static ServerAddress of(String name, String url, String token) {
        URI uri = parse(url.contains("://") ? url : "http://" + url);
        if (!"http".equals(uri.getScheme()) || uri.getHost() == null) {
            throw new BenchException(url + " is not an address of the form http://host:port");
        }
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceAll("/+$", "");
        return new ServerAddress(
                name,
                url,
                uri.getHost().replaceAll("[\\[\\]]", ""),
                port,
                path,
                token == null || token.isEmpty() ? null : token);
    }

    private static URI parse(String url) {
        try {
            return URI.create(url);
        } catch (IllegalArgumentException e) {
            throw new BenchException(url + " is not an address of the form http://host:port");
        }
    }

    /** Without the token. */
    @Override
    public String toString() {
        return url;
    }
}
