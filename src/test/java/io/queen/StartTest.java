package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StartTest {
    @Test
    void commandLine_options_becomeConfiguration() {
        QueenCommand command = new QueenCommand();
        assertThat(command.line().execute("--port", "79", "--port", "80", "--host=::1"))
                .isZero();
        assertThat(command.serves()).isTrue();
        assertThat(command.settings()).containsEntry("queen.http.port", "80").containsEntry("queen.http.host", "::1");
    }

    @ParameterizedTest
    @CsvSource({
        "--prot, Unknown option --prot",
        "--port, --port needs a value",
        "x, Unknown option x",
        "--port 80 bench, Unknown option bench",
    })
    void commandLine_nonsense_isRefusedWithTheUsage(String words, String sentence) {
        QueenCommand command = new QueenCommand();
        StringWriter err = new StringWriter();
        int exitCode = command.line().setErr(new PrintWriter(err)).execute(words.split(" ", -1));
        assertThat(exitCode).isEqualTo(2);
        assertThat(command.serves()).isFalse();
        assertThat(err.toString()).startsWith(sentence + System.lineSeparator()).contains("Usage: queen [--port N]");
    }

    @ParameterizedTest
    @CsvSource({"--version, Queen [0-9]+\\.[0-9]+.*", "-V, Queen [0-9]+\\.[0-9]+.*", "--help, (?s)Usage: queen.*bench.*"
    })
    void commandLine_question_isAnsweredAndNothingServed(String word, String answer) {
        QueenCommand command = new QueenCommand();
        StringWriter out = new StringWriter();
        assertThat(command.line().setOut(new PrintWriter(out)).execute(word)).isZero();
        assertThat(command.serves()).isFalse();
        assertThat(out.toString().strip()).matches(answer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "queen.database.host",
                "PG_HOST",
                "quarkus.datasource.jdbc.url",
                "quarkus.datasource.reactive.url",
            })
    void databaseChoice_anyWayToNameOne_isConfigured(String key) {
        assertThat(DatabaseChoice.isConfigured(config(key, "somewhere"))).isTrue();
        assertThat(DatabaseChoice.isConfigured(config(key, " "))).isFalse();
    }

    @Test
    void dataDirectory_isWhatIsSetElseInTheHome() {
        assertThat(DatabaseChoice.dataDirectory(config("queen.data-dir", "/data")))
                .isEqualTo(Path.of("/data"));
        assertThat(DatabaseChoice.dataDirectory(config("other", "/data")))
                .isEqualTo(Path.of(System.getProperty("user.home"), ".queen"));
    }

    @Test
    void embedded_switchedOffAndNoDatabase_saysWhatToSet() {
        DatabaseChoice.requireEmbedded(config("queen.embedded", "true"));
        assertThatThrownBy(() -> DatabaseChoice.requireEmbedded(config("queen.embedded", "false")))
                .satisfies(failure -> assertThat(StartFailure.describe(failure))
                        .startsWith("Queen cannot start. No PostgreSQL is named")
                        .contains("PG_HOST", "QUEEN_EMBEDDED=true")
                        .doesNotContain("\tat "));
    }

    @Test
    void configProblem_namesKeyVariableAndRule() {
        assertThat(ConfigProblem.describe("queen.http.port must be less than or equal to 65535"))
                .isEqualTo("queen.http.port (variable PORT) must be less than or equal to 65535");
        assertThat(ConfigProblem.describe("java.lang.IllegalArgumentException: SRCFG00039: The config property"
                        + " queen.http.port with the config value \"abc\" threw an Exception whilst being converted"
                        + " SRCFG00029: Expected an integer value, got \"abc\""))
                .isEqualTo("queen.http.port (variable PORT) is wrong: Expected an integer value, got \"abc\"");
    }

    @Test
    void configProblem_unknownKey_isNamed() {
        assertThat(ConfigProblem.describe("SRCFG00050: queen.prot in SysPropConfigSource does not map to any root"))
                .isEqualTo("queen.prot is not a key of Queen (found in SysPropConfigSource)");
    }

    @Test
    void startFailure_ourOwnBug_keepsTheStackTrace() {
        assertThat(StartFailure.describe(new IllegalStateException("oops"))).contains("oops", "at io.queen.StartTest");
    }

    private static SmallRyeConfig config(String key, String value) {
        return new SmallRyeConfigBuilder().withDefaultValue(key, value).build();
    }
}
