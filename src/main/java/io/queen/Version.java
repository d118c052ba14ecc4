package io.queen;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of the program, from a file that the build writes: known before anything is started. */
final class Version {
    private Version() {}

    static String current() {
        try (InputStream in = Version.class.getResourceAsStream("queen.properties")) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
