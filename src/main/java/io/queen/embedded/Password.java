package io.queen.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;

/** The password of the embedded PostgreSQL: random, made once, in a file that its owner alone can read. */
final class Password {
    static final String FILE = "postgres.password";
    private static final int BYTES = 32;

    private Password() {}

    static String readOrCreate(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            create(file);
        }
        return Files.readString(file).strip();
    }

    /** Written aside and renamed: a half-written password would lock us out of our own data. */
    private static void create(Path file) throws IOException {
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        Path temporary = file.resolveSibling(FILE + ".new");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Files.writeString(temporary, text + "\n", StandardOpenOption.WRITE, StandardOpenOption.SYNC);
        Files.move(temporary, file);
    }
}
