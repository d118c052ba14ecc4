package io.queen.config;

import io.smallrye.config.WithDefault;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rows of the README's table, from the interface that holds the configuration. */
final class ConfigTable {
    private static final Path SOURCE = Path.of("src/main/java/io/queen/config/QueenConfig.java");
    private static final Pattern DOCUMENTED = Pattern.compile(
            "(?s)/\\*\\*((?:(?!\\*/).)*)\\*/(?:(?!/\\*\\*|;|interface ).)*?([A-Za-z<>]+) ([a-zA-Z0-9]+)\\(\\);|interface (\\w+)");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+):(.*)}");

    private final String source;
    private final List<String> rows = new ArrayList<>();

    private ConfigTable(String source) {
        this.source = source;
    }

    static List<String> rows() throws IOException {
        ConfigTable table = new ConfigTable(Files.readString(SOURCE));
        table.add(QueenConfig.class, "queen");
        return table.rows.stream().sorted().toList();
    }

    private void add(Class<?> group, String prefix) {
        for (Method method : group.getDeclaredMethods()) {
            String key = prefix + "." + kebab(method.getName());
            if (method.getReturnType().getEnclosingClass() == QueenConfig.class) {
                add(method.getReturnType(), key);
            } else {
                rows.add(row(key, method.getAnnotation(WithDefault.class), describe(group, method)));
            }
        }
    }

    private static String row(String key, WithDefault annotation, String description) {
        String value = annotation == null ? "" : annotation.value();
        Matcher named = VARIABLE.matcher(value);
        String derived = key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
        String variable = named.matches() ? named.group(1) : derived;
        String fallback = named.matches() ? named.group(2) : value;
        String shown = fallback.isEmpty()
                ? ""
                : "`" + fallback.replace("${user.home}", "~").replace("${queen.data-dir}", "~/.queen") + "`";
        return "| `%s` | `%s` | %s | %s |".formatted(variable, key, shown, description);
    }

    /** The Javadoc of the method, which only the source holds. */
    private String describe(Class<?> group, Method method) {
        String current = "";
        Matcher found = DOCUMENTED.matcher(source);
        while (found.find()) {
            if (found.group(4) != null) {
                current = found.group(4);
            } else if (current.equals(group.getSimpleName()) && found.group(3).equals(method.getName())) {
                return found.group(1)
                        .replaceAll("\\s*\\n\\s*\\*\\s*", " ")
                        .replaceAll("\\{@code ([^}]*)}", "`$1`")
                        .strip();
            }
        }
        throw new AssertionError(group.getSimpleName() + "." + method.getName() + " has no Javadoc");
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
