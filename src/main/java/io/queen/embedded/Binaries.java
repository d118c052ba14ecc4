package io.queen.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The programs of PostgreSQL, unpacked once per version from the archive on the class path. */
record Binaries(Path home, String version) {

    /** The binaries under {@code parent}; unpacked first when this version is not there yet. */
    static Binaries unpack(Path parent) throws IOException {
        String version = packagedVersion();
        Path home = parent.resolve("postgres-" + version);
        if (!Files.isDirectory(home)) {
            Path temporary = Files.createTempDirectory(parent, "unpack-");
            Directories.makeTraversable(temporary);
            unpackInto(temporary);
            Directories.moveUnlessPresent(temporary, home);
        }
        return new Binaries(home, version);
    }

    /** Removes the binaries of other versions, and what an unpacking that was killed left behind. */
    void removeOthers() throws IOException {
        try (Stream<Path> siblings = Files.list(home.getParent())) {
            for (Path sibling : siblings.filter(this::isOther).toList()) {
                Directories.delete(sibling);
            }
        }
    }

    private boolean isOther(Path path) {
        String name = path.getFileName().toString();
        return !path.equals(home) && (name.matches("postgres-[0-9.]+") || name.startsWith("unpack-"));
    }

    String program(String name) {
        return home.resolve("bin").resolve(name).toString();
    }

    boolean hasLibrary(String name) {
        Path libraries = home.resolve("lib/postgresql");
        return Files.exists(libraries.resolve(name + ".so")) || Files.exists(libraries.resolve(name + ".dylib"));
    }

    String major() {
        return version.substring(0, version.indexOf('.'));
    }

    private static String packagedVersion() throws IOException {
        try (InputStream in = Binaries.class.getResourceAsStream("binaries.properties")) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        }
    }

    private static void unpackInto(Path directory) throws IOException {
        String archive = archive(System.getProperty("os.name"), System.getProperty("os.arch"));
        try (InputStream in = Binaries.class.getResourceAsStream("/" + archive)) {
            if (in == null) {
                throw new PostgresException("This build of Queen has no PostgreSQL for this machine (" + archive
                        + "); use a PostgreSQL of your own with PG_HOST, PG_PORT, PG_DB, PG_USER and PG_PASSWORD.");
            }
            TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(in)));
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpack(tar, entry, directory);
            }
        }
    }

    private static String archive(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
        boolean arm = osArch.equals("aarch64") || osArch.equals("arm64");
        return "postgres-" + os + "-" + (arm ? "arm_64" : "x86_64") + ".txz";
    }

    private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path directory) throws IOException {
        Path target = directory.resolve(entry.getName()).normalize();
        if (!target.startsWith(directory)) {
            throw new IOException("entry outside of the archive: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
            Files.copy(tar, target);
            Directories.makeReadable(target, (entry.getMode() & 0100) != 0);
        }
    }
}
