package io.queen.dashboard;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** What the headers say of a file of the dashboard, by its name within it. */
final class WebappFile {
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("html", "text/html; charset=utf-8"),
            Map.entry("js", "text/javascript; charset=utf-8"),
            Map.entry("mjs", "text/javascript; charset=utf-8"),
            Map.entry("css", "text/css; charset=utf-8"),
            Map.entry("json", "application/json"),
            Map.entry("png", "image/png"),
            Map.entry("jpg", "image/jpeg"),
            Map.entry("jpeg", "image/jpeg"),
            Map.entry("gif", "image/gif"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("woff", "font/woff"),
            Map.entry("woff2", "font/woff2"),
            Map.entry("ttf", "font/ttf"),
            Map.entry("eot", "application/vnd.ms-fontobject"),
            Map.entry("webp", "image/webp"),
            Map.entry("wasm", "application/wasm"));
    /** A name with a hash of its content: at least eight characters, one of them a digit, before the extension. */
    private static final Pattern HASHED = Pattern.compile(".*[.-](?=[A-Za-z_]*\\d)[A-Za-z0-9_]{8,}\\.(js|mjs|css)");

    private WebappFile() {}

    static String type(String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return TYPES.getOrDefault(extension, "application/octet-stream");
    }

    /** What has a new name with every new content is kept for good; the page that names it is asked for every time. */
    static String cacheControl(String name) {
        if (name.startsWith("assets/") || HASHED.matcher(name).matches()) {
            return "public, max-age=31536000, immutable";
        }
        return name.equals("index.html") ? "no-cache, no-store, must-revalidate" : "public, max-age=3600";
    }
}
