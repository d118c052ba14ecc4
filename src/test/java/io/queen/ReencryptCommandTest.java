package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.encryption.OtherKeys;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.queen.testing.UnusualSettings;
import io.restassured.RestAssured;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Without a twin: the command runs in the JVM of the test. */
@QuarkusTest
@TestProfile(UnusualSettings.class)
class ReencryptCommandTest {
    private final String queue = Partitions.name("command /ü");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void reencrypt_oldKey_isDoneAndTold() {
        stored(OtherKeys.old("1", queue, "p", "t1"));
        assertThat(run(queue, "--url", url())).as(err.toString()).isZero();
        assertThat(out.toString().strip()).isEqualTo(queue + ": 1 re-encrypted, 0 unreadable, 0 skipped");
        assertThat(Pops.data(Pops.pop(queue))).containsExactly(1);
    }

    @Test
    void reencrypt_lostKey_isToldWithExitCode1() {
        stored(OtherKeys.lost("1", queue, "p", "t1"));
        assertThat(run("--url", url() + "/", queue)).isEqualTo(1);
        assertThat(out.toString()).contains("0 re-encrypted, 1 unreadable", "it needs the key lost");
    }

    @Test
    void reencrypt_unknownQueue_tellsTheAnswer() {
        assertThat(run(queue, "--url", url())).isEqualTo(1);
        assertThat(err.toString()).contains("404", "QUEUE_NOT_FOUND");
    }

    @Test
    void reencrypt_noServer_saysSo() {
        assertThat(run(queue, "--url", "http://localhost:1")).isEqualTo(1);
        assertThat(err.toString()).isNotBlank().doesNotContain("\tat ");
    }

    @Test
    void reencrypt_noQueue_isRefusedWithTheUsage() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("QUEUE", "Usage: queen reencrypt");
    }

    private int run(String... words) {
        String[] all = new String[words.length + 1];
        all[0] = "reencrypt";
        System.arraycopy(words, 0, all, 1, words.length);
        return new QueenCommand()
                .line()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(all);
    }

    private void stored(String payload) {
        Pops.configure(queue, Map.of("encryptionEnabled", true));
        Pops.push(queue, "p", 1);
        try (Sql sql = Sql.open()) {
            sql.run(
                    "update queen.messages set payload = ? where partition_id = ?",
                    payload,
                    new Partitions(sql).id(queue, "p"));
        }
    }

    private static String url() {
        return "http://localhost:" + RestAssured.port;
    }
}
