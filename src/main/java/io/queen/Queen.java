package io.queen;

import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.configuration.ConfigUtils;
import java.util.Map;
import org.eclipse.microprofile.config.Config;

/**
 * The program: reads its options, starts a PostgreSQL of its own when none is configured, and serves. {@code queen bench}
 * and {@code queen reencrypt} do none of this: they ask a server that runs elsewhere.
 */
@QuarkusMain
public final class Queen {
    private Queen() {}

    public static void main(String... args) {
        QueenCommand command = new QueenCommand();
        // Without arguments a start does not wait for the parser to be loaded.
        if (args.length > 0) {
            int exitCode = command.line().execute(args);
            if (!command.serves()) {
                System.exit(exitCode);
            }
        }
        try {
            prepare(command.settings());
            Quarkus.run(Server.class, Queen::exit);
        } catch (Throwable e) {
            exit(1, e);
        }
    }

    private static void prepare(Map<String, String> settings) {
        settings.forEach(System::setProperty);
        Config config = ConfigUtils.emptyConfigBuilder().build();
        TlsFiles.require(config);
        PortCheck.requireFree(config);
        if (!DatabaseChoice.isConfigured(config)) {
            DatabaseChoice.requireEmbedded(config);
            int seconds = seconds(config, "queen.shutdown.timeout", 20) + seconds(config, "queen.shutdown.delay", 0);
            Map<String, String> address = Embedded.start(DatabaseChoice.dataDirectory(config), seconds);
            address.forEach(System::setProperty);
        }
    }

    /** What is no number is refused later, by the check of all values. */
    private static int seconds(Config config, String key, int otherwise) {
        return config.getOptionalValue(key, String.class)
                .filter(text -> text.matches("[0-9]{1,6}"))
                .map(Integer::valueOf)
                .orElse(otherwise);
    }

    /**
     * Called by the main thread when everything has stopped, and in a native image by the thread of a signal while
     * everything still runs: only the first may take the database away.
     */
    private static void exit(int code, Throwable error) {
        if (error != null) {
            System.err.println(StartFailure.describe(error));
        }
        if (Quarkus.isMainThread(Thread.currentThread())) {
            Embedded.stop();
        }
        ApplicationLifecycleManager.getDefaultExitCodeHandler().accept(code, error);
    }
}
