package io.queen.bench;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Spans of time as people write them: 10, 10s, 500ms, 2m. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern SPAN = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|)");

    @Override
    public Duration convert(String text) {
        Matcher matcher = SPAN.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a span of time like 10s, 500ms or 2m");
        }
        double number = Double.parseDouble(matcher.group(1));
        double millis = switch (matcher.group(2)) {
            case "ms" -> number;
            case "m" -> number * 60_000;
            default -> number * 1000;
        };
        return Duration.ofMillis(Math.round(millis));
    }
}
