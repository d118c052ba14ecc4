package io.queen;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The options of the command line, as configuration: they win over variables and files. */
final class CommandLine {
    static final String USAGE = """
            Usage: queen [--port N] [--host H] [--dev]
                   queen bench [SCENARIO...] [OPTION...]
              --port N        port to listen on (PORT, 6632)
              --host H        address to listen on (HOST, 0.0.0.0)
              --dev           log in detail
              -h, --help      show this
              -V, --version   show the version
              bench           measure a server; 'queen bench --help' tells how""";

    private CommandLine() {}

    static Map<String, String> parse(String... args) {
        Map<String, String> settings = new HashMap<>();
        List<String> words =
                List.of(args).stream().flatMap(word -> split(word).stream()).toList();
        for (int i = 0; i < words.size(); i++) {
            switch (words.get(i)) {
                case "--port" -> settings.put("queen.http.port", value(words, i++));
                case "--host" -> settings.put("queen.http.host", value(words, i++));
                case "--dev" -> settings.put("quarkus.log.category.\"io.queen\".level", "DEBUG");
                case "--help", "-h" -> throw new UsageException(USAGE, 0);
                case "--version", "-V" -> throw new UsageException("Queen " + Version.current(), 0);
                default -> throw new UsageException("Unknown option " + words.get(i) + "\n" + USAGE, 2);
            }
        }
        return settings;
    }

    /** {@code --port=80} is {@code --port 80}. */
    private static List<String> split(String word) {
        int equals = word.indexOf('=');
        return word.startsWith("--") && equals > 0
                ? List.of(word.substring(0, equals), word.substring(equals + 1))
                : List.of(word);
    }

    private static String value(List<String> words, int option) {
        if (option + 1 == words.size()) {
            throw new UsageException(words.get(option) + " needs a value\n" + USAGE, 2);
        }
        return words.get(option + 1);
    }
}
