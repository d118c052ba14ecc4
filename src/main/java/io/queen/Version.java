package io.queen;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of the program, from a file that the build writes: known before anything is started. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        try (InputStream in = Version.class.getResourceAsStream("queen.properties")) {
            Properties properties = new Properties();
            properties.load(in);
            return new String[] {"Queen " + properties.getProperty("version")};
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
