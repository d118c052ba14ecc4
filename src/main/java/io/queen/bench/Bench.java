package io.queen.bench;

import picocli.CommandLine;

/** {@code queen bench}: the way in. */
public final class Bench {
    private static final String EXAMPLES = """

            Examples:
              queen bench
                  every scenario on http://localhost:6632
              queen bench push-1 pop-ack --connections 64 --duration 30s --json today.json
              queen bench push-1 --rate 2000
                  time from when each request was due, at 2,000 requests a second
              queen bench push-100 --pg postgres://queen:secret@localhost:5432/queen
                  with what PostgreSQL spends on a message
              queen bench pop-ack --url http://localhost:6632 --url http://localhost:6633 --rounds 5
                  two servers in turn: A, B, A, B …; then B / A with its spread
              queen bench --compare yesterday.json today.json
            """;

    private Bench() {}

    /** Measures as the arguments say; gives the exit code. */
    public static int run(String... arguments) {
        CommandLine command = new CommandLine(new BenchCommand()).setExecutionExceptionHandler(Bench::describe);
        command.getCommandSpec().usageMessage().footer(Catalog.describe(), EXAMPLES);
        return command.execute(arguments);
    }

    private static int describe(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
            throws Exception {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof BenchException)) {
            cause = cause.getCause();
        }
        if (cause == null) {
            throw failure;
        }
        command.getErr().println(cause.getMessage());
        return CommandLine.ExitCode.USAGE;
    }
}
