package io.queen;

import io.queen.config.QueenConfig;
import io.smallrye.config.WithDefault;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A wrong value as a person can read it: the key, the variable that may have set it, and what is allowed. */
final class ConfigProblem {
    private static final Pattern CONVERSION =
            Pattern.compile("The config property (\\S+) with the config value \".*\" threw an Exception.*?: (.*)");
    private static final Pattern UNKNOWN = Pattern.compile("SRCFG[0-9]+: (\\S+) in (.*) does not map to any root");
    private static final Pattern KEY = Pattern.compile("^(queen\\.[a-z0-9.-]+) (.*)", Pattern.DOTALL);
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z][A-Z_]+):.*");

    private ConfigProblem() {}

    static String describe(String message) {
        Matcher unknown = UNKNOWN.matcher(message);
        if (unknown.find()) {
            return unknown.group(1) + " is not a key of Queen (found in " + unknown.group(2) + ")";
        }
        Matcher conversion = CONVERSION.matcher(message);
        String plain = conversion.find() ? conversion.group(1) + " is wrong: " + conversion.group(2) : message;
        Matcher key = KEY.matcher(plain);
        return key.matches() ? key.group(1) + variable(key.group(1)) + " " + key.group(2) : plain;
    }

    private static String variable(String key) {
        return find(QueenConfig.class, key.substring("queen.".length()))
                .map(method -> method.getAnnotation(WithDefault.class))
                .map(otherwise -> VARIABLE.matcher(otherwise.value()))
                .filter(Matcher::matches)
                .map(matcher -> " (variable " + matcher.group(1) + ")")
                .orElse("");
    }

    private static Optional<Method> find(Class<?> group, String path) {
        int dot = path.indexOf('.');
        String name = dot < 0 ? path : path.substring(0, dot);
        Optional<Method> method = Stream.of(group.getMethods())
                .filter(candidate -> kebab(candidate.getName()).equals(name))
                .findFirst();
        return dot < 0 ? method : method.flatMap(inner -> find(inner.getReturnType(), path.substring(dot + 1)));
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
