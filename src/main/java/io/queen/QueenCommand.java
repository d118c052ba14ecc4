package io.queen;

import io.queen.bench.BenchCommand;
import io.queen.security.TokenCommand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of the program. Options of the server are configuration: they win over variables and files. */
@Command(
        name = "queen",
        customSynopsis = {
            "queen [--port N] [--host H] [--dev]",
            "       queen bench [SCENARIO...] [OPTION...]",
            "       queen reencrypt QUEUE... [OPTION...]",
            "       queen token --role ROLE --subject NAME [OPTION...]"
        },
        sortOptions = false,
        commandListHeading = "",
        subcommands = {BenchCommand.class, ReencryptCommand.class, TokenCommand.class},
        versionProvider = Version.class)
final class QueenCommand implements Runnable {
    @Option(names = "--port", paramLabel = "N", description = "port to listen on (PORT, 6632)")
    String port;

    @Option(names = "--host", paramLabel = "H", description = "address to listen on (HOST, 127.0.0.1)")
    String host;

    @Option(names = "--dev", description = "log in detail")
    boolean dev;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "show the version")
    boolean version;

    private boolean serves;

    CommandLine line() {
        CommandLine line = new CommandLine(this).setOverwrittenOptionsAllowed(true);
        IParameterExceptionHandler standard = line.getParameterExceptionHandler();
        return line.setExecutionStrategy(QueenCommand::execute)
                .setParameterExceptionHandler((wrong, words) ->
                        wrong.getCommandLine() == line ? explain(wrong) : standard.handleParseException(wrong, words));
    }

    /** An option of the server before another command would have no effect. */
    private static int execute(ParseResult parsed) {
        if (parsed.hasSubcommand() && !parsed.matchedOptions().isEmpty()) {
            String command = parsed.subcommand().commandSpec().name();
            throw new UnmatchedArgumentException(parsed.commandSpec().commandLine(), List.of(command));
        }
        return new RunLast().execute(parsed);
    }

    private static int explain(ParameterException wrong) {
        CommandLine line = wrong.getCommandLine();
        line.getErr().println(sentence(wrong));
        line.usage(line.getErr());
        return CommandLine.ExitCode.USAGE;
    }

    private static String sentence(ParameterException wrong) {
        if (wrong instanceof UnmatchedArgumentException unknown) {
            return "Unknown option " + unknown.getUnmatched().get(0);
        }
        return wrong instanceof MissingParameterException missing
                        && missing.getMissing().get(0) instanceof OptionSpec option
                ? option.longestName() + " needs a value"
                : wrong.getMessage();
    }

    /** Nothing else was asked for. */
    @Override
    public void run() {
        serves = true;
    }

    boolean serves() {
        return serves;
    }

    Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        if (port != null) {
            settings.put("queen.http.port", port);
        }
        if (host != null) {
            settings.put("queen.http.host", host);
        }
        if (dev) {
            settings.put("quarkus.log.category.\"io.queen\".level", "DEBUG");
        }
        return settings;
    }
}
