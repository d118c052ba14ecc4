package io.queen.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Every reason for which a build may leave a test out: the machine lacks what the test needs. {@link SkipTest} sees to it
 * that tests are not skipped in another way, so a skip that is not listed here fails the build. {@code .ci/run} says at its
 * end what was skipped.
 */
public enum Skip {
    NO_INSTALLED_POSTGRES("no PostgreSQL is installed: apt-get install postgresql"),
    NO_PGBOUNCER("PgBouncer is not installed: apt-get install pgbouncer"),
    NO_JDK_25("no JDK 25 under /usr/lib/jvm: the JVM image can't be staged"),
    NO_NPM_PACKAGES("npm is not installed, or can't get the schemas of the manifests"),
    NO_POSTGRES_FOR_LINUX("this build has no PostgreSQL for Linux on amd64"),
    NOT_LINUX("only Linux has /bin/sh and what the images' scripts use"),
    NOT_ROOT("only root can start a server as another user"),
    TARGET_NOT_READABLE("another user can't read the packaged program"),
    FEW_OPEN_FILES("the limit of open files (ulimit -n) is too low for thousands of connections");

    private final String reason;

    Skip(String reason) {
        this.reason = reason;
    }

    public String reason() {
        return name() + ": " + reason;
    }

    /** Ends the test as skipped when the machine has not what it needs. */
    public void unless(boolean met) {
        assumeTrue(met, reason());
    }
}
