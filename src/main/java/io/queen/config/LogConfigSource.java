package io.queen.config;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Gives Quarkus the log settings in its own words. Not by expressions in application.properties: those can't translate a
 * word, and logging is set up before the mapping (and the check of its values) exists.
 */
public final class LogConfigSource implements ConfigSourceFactory {
    /** Below application.properties (250), above the defaults of mappings. */
    private static final int ORDINAL = 240;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        String level = text(context, "queen.log.level", text(context, "LOG_LEVEL", "info"));
        String format = text(context, "queen.log.format", text(context, "LOG_FORMAT", "text"));
        Map<String, String> values = Map.of(
                "quarkus.log.level",
                level.matches(QueenConfig.Log.LEVELS) ? level.toUpperCase(Locale.ROOT) : "INFO",
                "quarkus.log.console.json.enabled",
                Boolean.toString("json".equals(format)));
        return List.of(new PropertiesConfigSource(values, "queen log", ORDINAL));
    }

    @Override
    public OptionalInt getPriority() {
        return OptionalInt.of(ORDINAL);
    }

    private static String text(ConfigSourceContext context, String name, String otherwise) {
        ConfigValue value = context.getValue(name);
        return value == null || value.getValue() == null ? otherwise : value.getValue();
    }
}
