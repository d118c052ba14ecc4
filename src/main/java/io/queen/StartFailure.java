package io.queen;

import io.quarkus.runtime.QuarkusBindException;
import io.queen.config.SettingsException;
import io.queen.embedded.PostgresException;
import io.smallrye.config.ConfigValidationException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Why the server did not start, for the person who started it: a sentence, and a stack trace only for our own bugs. */
final class StartFailure {
    private StartFailure() {}

    static String describe(Throwable error) {
        return Stream.iterate(error, cause -> cause != null, Throwable::getCause)
                .map(StartFailure::sentence)
                .filter(sentence -> sentence != null)
                .findFirst()
                .map(sentence -> "Queen cannot start. " + sentence)
                .orElseGet(() -> "Queen cannot start.\n" + stackTrace(error));
    }

    private static String sentence(Throwable error) {
        if (error instanceof PostgresException || error instanceof SettingsException) {
            return error.getMessage();
        }
        if (error instanceof QuarkusBindException bind) {
            return portInUse(bind.getPort());
        }
        return error instanceof ConfigValidationException invalid ? problems(invalid) : null;
    }

    static String portInUse(int port) {
        return "Port " + port + " is in use; choose another with PORT or --port.";
    }

    private static String problems(ConfigValidationException invalid) {
        return IntStream.range(0, invalid.getProblemCount())
                .mapToObj(i -> ConfigProblem.describe(invalid.getProblem(i).getMessage()))
                .distinct()
                .collect(Collectors.joining("\n  ", "The configuration is wrong:\n  ", ""));
    }

    private static String stackTrace(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
