package io.queen.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The account that the programs of PostgreSQL run as. They refuse to run as root, so root's start is put into a user
 * namespace, where the same account is no longer root, or else on another account, which then owns the directory.
 *
 * @param prefix what comes before every command
 * @param owner {@code uid:gid} that must own the files, null when they belong to the right account by themselves
 */
record Account(List<String> prefix, String owner) {
    private static final String NOBODY = "65534:65534";
    private static final Duration A_MOMENT = Duration.ofSeconds(10);

    /** The account for a data directory: its owner's, when root starts on a directory of another account. */
    static Account of(Path directory) throws IOException {
        if (!isRoot()) {
            return new Account(List.of(), null);
        }
        if ((int) Files.getAttribute(directory, "unix:uid") != 0) {
            return as(Files.getAttribute(directory, "unix:uid") + ":" + Files.getAttribute(directory, "unix:gid"));
        }
        if (works("unshare", "-U", "true")) {
            return new Account(List.of("unshare", "-U"), null);
        }
        return as(NOBODY);
    }

    /** Gives the files to the account, when it is not the one that this process writes files as. */
    void own(Path directory) {
        if (owner != null) {
            Command.run(List.of("chown", "-R", owner, directory.toString()), directory, A_MOMENT)
                    .orThrow("Could not give the data directory " + directory + " to " + owner);
        }
    }

    List<String> command(String... program) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(program));
        return command;
    }

    private static Account as(String owner) {
        String[] ids = owner.split(":", -1);
        List<String> prefix = List.of("setpriv", "--reuid=" + ids[0], "--regid=" + ids[1], "--clear-groups");
        if (!works(prefix.get(0), prefix.get(1), prefix.get(2), prefix.get(3), "true")) {
            throw new PostgresException("PostgreSQL refuses to run as root, and neither unshare nor setpriv works here;"
                    + " start Queen as another user, or use a PostgreSQL of your own with PG_HOST.");
        }
        return new Account(prefix, owner);
    }

    private static boolean isRoot() throws IOException {
        Path self = Path.of("/proc/self");
        return Files.exists(self)
                ? (int) Files.getAttribute(self, "unix:uid") == 0
                : "root".equals(System.getProperty("user.name"));
    }

    private static boolean works(String... command) {
        try {
            return Command.run(List.of(command), Path.of("/"), A_MOMENT).succeeded();
        } catch (PostgresException notInstalled) {
            return false;
        }
    }
}
