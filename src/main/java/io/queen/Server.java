package io.queen;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** What runs once everything is up: says so, and waits for the end. */
@Singleton
final class Server implements QuarkusApplication {
    private static final Logger LOG = Logger.getLogger("io.queen");
    private final Greeting greeting;

    Server(Greeting greeting) {
        this.greeting = greeting;
    }

    @Override
    public int run(String... args) {
        LOG.info(greeting.text());
        Quarkus.waitForExit();
        return 0;
    }
}
