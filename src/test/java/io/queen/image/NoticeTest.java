package io.queen.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Skip;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.Test;
import org.tukaani.xz.XZInputStream;

/** native/NOTICE names what the archive of PostgreSQL brings along, and goes with both images. */
class NoticeTest {
    private static final Path NOTICE = Path.of("native/NOTICE");
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final String OWN = "lib/lib(pq|ecpg|ecpg_compat|pgtypes)\\.so.*";

    @Test
    void libraries_inTheArchive_areNamed() throws IOException {
        List<String> libraries = libraries();
        assertThat(libraries).isNotEmpty();
        String notice = Files.readString(NOTICE);
        assertThat(libraries).allMatch(notice::contains);
    }

    @Test
    void version_ofPostgres_isThatOfTheArchive() throws IOException {
        Properties binaries = new Properties();
        try (InputStream in = getClass().getResourceAsStream("/io/queen/embedded/binaries.properties")) {
            binaries.load(in);
        }
        // 18.6.0 is the archive of 18.6.
        assertThat(binaries.getProperty("version")).endsWith(".0");
        assertThat(Files.readString(NOTICE))
                .contains("PostgreSQL " + binaries.getProperty("version").replaceAll("\\.0$", " "));
    }

    @Test
    void images_always_haveIt() throws IOException {
        for (String file : List.of("native/Containerfile.native", "native/Containerfile.jvm")) {
            assertThat(Files.readString(Path.of(file))).containsPattern("COPY .*native/NOTICE .*/opt/queen/");
        }
    }

    /** The names of the files that are not PostgreSQL's own. */
    private static List<String> libraries() throws IOException {
        List<String> names = new ArrayList<>();
        try (InputStream in = NoticeTest.class.getResourceAsStream(ARCHIVE)) {
            Skip.NO_POSTGRES_FOR_LINUX.unless(in != null);
            TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(in));
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                String name = entry.getName();
                if (name.matches("lib/[^/]+\\.so\\..*") && !entry.isSymbolicLink() && !name.matches(OWN)) {
                    names.add(name.substring("lib/".length()));
                }
            }
        }
        return names;
    }
}
