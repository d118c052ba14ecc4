package io.queen.config;

import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tables of docs/configuration.md: one for each interface inside {@link QueenConfig}, in the order of the source,
 * which alone holds the Javadoc. What is written by hand before and after them stays.
 */
final class ConfigurationPage {
    private static final Path SOURCE = Path.of("src/main/java/io/queen/config/QueenConfig.java");
    private static final String BEGIN =
            "<!-- Written by ConfigurationPageTest from QueenConfig: change it there. -->\n";
    private static final String END = "<!-- The end of what is written. -->\n";
    private static final String HEAD = "\n| Variable | Key | Default | Allowed | Meaning |\n|---|---|---|---|---|\n";

    private static final Pattern DOCUMENTED = Pattern.compile("(?s)/\\*\\*((?:(?!\\*/).)*)\\*/(?:(?!/\\*\\*|;).)*?"
            + "(?:interface (?<group>\\w+)|[A-Za-z<>]+\\s+(?<setting>[a-zA-Z0-9]+)\\(\\);)");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+):(.*)}");

    private ConfigurationPage() {}

    static String renew(String page) throws IOException, ReflectiveOperationException {
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        return page.substring(0, begin) + tables() + page.substring(page.indexOf(END));
    }

    private static String tables() throws IOException, ReflectiveOperationException {
        StringBuilder text = new StringBuilder();
        Class<?> group = QueenConfig.class;
        Matcher found = DOCUMENTED.matcher(Files.readString(SOURCE));
        while (found.find()) {
            if (found.group("group") != null) {
                group = group(found.group("group"));
                text.append(heading(group, plain(found.group(1)))).append(HEAD);
            } else {
                text.append(row(group, group.getMethod(found.group("setting")), plain(found.group(1))));
            }
        }
        return text.append('\n').toString();
    }

    private static Class<?> group(String name) {
        return Arrays.stream(QueenConfig.class.getDeclaredClasses())
                .filter(inner -> inner.getSimpleName().equals(name))
                .findFirst()
                .orElse(QueenConfig.class);
    }

    private static String heading(Class<?> group, String description) {
        return group == QueenConfig.class
                ? "\n## General\n"
                : "\n## " + group.getSimpleName() + "\n\n" + description + "\n";
    }

    private static String row(Class<?> group, Method setting, String description) {
        String key = prefix(group) + "." + kebab(setting.getName());
        WithDefault annotation = setting.getAnnotation(WithDefault.class);
        String value = annotation == null ? "" : annotation.value();
        Matcher named = VARIABLE.matcher(value);
        String derived = key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
        String variable = named.matches() ? named.group(1) : derived;
        String fallback = (named.matches() ? named.group(2) : value)
                .replace("${user.home}", "~")
                .replace("${queen.data-dir}", "~/.queen");
        return "| `%s` | `%s` | %s | %s | %s |\n"
                .formatted(
                        variable, key, fallback.isEmpty() ? "" : "`" + fallback + "`", allowed(setting), description);
    }

    private static String prefix(Class<?> group) {
        return Arrays.stream(QueenConfig.class.getMethods())
                .filter(method -> method.getReturnType() == group)
                .map(method -> "queen." + kebab(method.getName()))
                .findFirst()
                .orElse("queen");
    }

    private static String allowed(Method setting) {
        AnnotatedType type = setting.getAnnotatedReturnType();
        AnnotatedElement value = type instanceof AnnotatedParameterizedType optional
                ? optional.getAnnotatedActualTypeArguments()[0]
                : type;
        jakarta.validation.constraints.Pattern pattern =
                value.getAnnotation(jakarta.validation.constraints.Pattern.class);
        if (pattern != null) {
            return pattern.message().replaceFirst("must be ", "");
        }
        return type.getType() == boolean.class ? "true, false" : range(value);
    }

    private static String range(AnnotatedElement value) {
        Min min = value.getAnnotation(Min.class);
        Max max = value.getAnnotation(Max.class);
        DecimalMin decimal = value.getAnnotation(DecimalMin.class);
        if (decimal != null) {
            return decimal.value() + " or more";
        }
        if (min == null) {
            return "";
        }
        return max == null ? min.value() + " or more" : min.value() + " to " + max.value();
    }

    private static String plain(String javadoc) {
        return javadoc.replaceAll("\\s*\\n\\s*\\*\\s*", " ")
                .replaceAll("\\{@code ([^}]*)}", "`$1`")
                .strip();
    }

    private static String kebab(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
