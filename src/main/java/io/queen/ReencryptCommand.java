package io.queen;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code queen reencrypt}: asks a running server, which has the keys, to encrypt the stored messages of queues with its
 * first key. The server answers after some seconds with what it did, and is asked again until it is through.
 */
@Command(
        name = "reencrypt",
        sortOptions = false,
        abbreviateSynopsis = true,
        description =
                "Encrypts the stored messages of queues with the first key of a running server. May be ended and run"
                        + " again at any time.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all is encrypted with the first key",
            "1:something is left; the message says what",
            "2:wrong words"
        })
final class ReencryptCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Spec
    CommandSpec spec;

    @Parameters(paramLabel = "QUEUE", arity = "1..*", description = "The queues.")
    List<String> queues;

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://localhost:6632",
            description = "The server (${DEFAULT-VALUE}).")
    String url;

    @Option(
            names = "--token",
            paramLabel = "JWT",
            defaultValue = "${env:QUEEN_TOKEN}",
            description = "Sent as 'Authorization: Bearer' (variable QUEEN_TOKEN).")
    String token;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this.")
    boolean help;

    @Override
    public Integer call() throws InterruptedException {
        HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
        boolean whole = true;
        try {
            for (String queue : queues) {
                whole &= reencrypt(client, queue);
            }
        } catch (IOException | IllegalArgumentException e) {
            spec.commandLine().getErr().println(e.getMessage() == null ? e.toString() : e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
        return whole ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private boolean reencrypt(HttpClient client, String queue) throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        long[] sums = new long[3];
        String next = "";
        do {
            JsonObject answer = ask(client, queue, next);
            sums[0] += answer.getLong("reencrypted");
            sums[1] += answer.getLong("unreadable");
            sums[2] += answer.getLong("skipped");
            next = answer.getString("next");
            out.printf("%s: %d re-encrypted, %d unreadable, %d skipped%n", queue, sums[0], sums[1], sums[2]);
            if (answer.getString("problem") != null) {
                out.println("  " + answer.getString("problem"));
            }
            out.flush();
        } while (next != null);
        return sums[1] + sums[2] == 0;
    }

    private JsonObject ask(HttpClient client, String queue, String after) throws IOException, InterruptedException {
        URI uri = URI.create(
                url.replaceAll("/+$", "") + "/api/v1/queues/" + encoded(queue) + "/reencrypt?after=" + encoded(after));
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri).timeout(PATIENCE).POST(HttpRequest.BodyPublishers.noBody());
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(
                    queue + ": " + uri.getHost() + " answered " + response.statusCode() + " " + response.body());
        }
        try {
            return new JsonObject(response.body());
        } catch (DecodeException e) {
            throw new IOException(uri.getHost() + " is not a Queen", e);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
