package io.queen.admin.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Refusal;
import io.queen.web.JsonBody;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsReaderTest {

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"other\":{\"leaseTime\":1}}", "{\"leaseTime\":null,\"retentionEnabled\":null}"})
    void options_noneGiven_areTheDefaults(String body) {
        assertThat(read(body)).isEqualTo(QueueOptions.DEFAULTS);
    }

    @Test
    void options_allGiven_areRead() {
        assertThat(read("{\"leaseTime\":1,\"retryLimit\":2,\"retryDelay\":3,\"retryBackoff\":\"exponential\","
                        + "\"retryDelayMax\":13,\"retryJitter\":12,\"maxSize\":4,\"ttl\":5,"
                        + "\"deadLetterQueue\":true,\"dlqAfterMaxRetries\":true,\"priority\":-6,"
                        + "\"delayedProcessing\":7,\"windowBuffer\":8,\"retentionSeconds\":9,"
                        + "\"completedRetentionSeconds\":10,\"retentionEnabled\":true,\"encryptionEnabled\":true,"
                        + "\"maxWaitTimeSeconds\":11}"))
                .isEqualTo(new QueueOptions(
                        1, 2, 3, "exponential", 13, 12, 4, 5, true, true, -6, 7, 8, 9, 10, true, true, 11));
    }

    @Test
    void options_asText_areRead() {
        QueueOptions options = read("{\"leaseTime\":\"30\",\"priority\":\"-1\",\"deadLetterQueue\":\"true\"}");
        assertThat(options.leaseTime()).isEqualTo(30);
        assertThat(options.priority()).isEqualTo(-1);
        assertThat(options.deadLetterQueue()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"retentionSeconds\":1}|true",
                "{\"completedRetentionSeconds\":1}|true",
                "{\"retentionSeconds\":1,\"retentionEnabled\":false}|false",
                "{\"retentionEnabled\":true}|true",
                "{\"retentionSeconds\":0}|false"
            })
    void retention_secondsWithoutTheFlag_isOn(String body, boolean enabled) {
        assertThat(read(body).retentionEnabled()).isEqualTo(enabled);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"leaseTime\":-1}|leaseTime",
                "{\"leaseTime\":2147483648}|leaseTime",
                "{\"leaseTime\":31536001}|leaseTime",
                "{\"delayedProcessing\":31536001}|delayedProcessing",
                "{\"windowBuffer\":31536001}|windowBuffer",
                "{\"retryDelay\":-1}|retryDelay",
                "{\"retryBackoff\":\"linear\"}|retryBackoff",
                "{\"retryBackoff\":\"Exponential\"}|retryBackoff",
                "{\"retryBackoff\":\"\"}|retryBackoff",
                "{\"retryBackoff\":7}|retryBackoff",
                "{\"retryBackoff\":true}|retryBackoff",
                "{\"retryBackoff\":{}}|retryBackoff",
                "{\"retryBackoff\":\"exponential\"}|retryBackoff",
                "{\"retryBackoff\":\"exponential\",\"retryDelay\":0}|retryBackoff",
                "{\"retryBackoff\":\"exponential\",\"retryDelay\":3600001}|retryDelayMax",
                "{\"retryDelayMax\":9,\"retryBackoff\":\"exponential\",\"retryDelay\":10}|retryDelayMax",
                "{\"retryDelayMax\":-1}|retryDelayMax",
                "{\"retryDelayMax\":2147483648}|retryDelayMax",
                "{\"retryJitter\":101}|retryJitter",
                "{\"retryJitter\":-1}|retryJitter",
                "{\"retryJitter\":\"half\"}|retryJitter",
                "{\"retentionSeconds\":2147483648}|retentionSeconds",
                "{\"leaseTime\":1.5}|leaseTime",
                "{\"leaseTime\":\"soon\"}|leaseTime",
                "{\"leaseTime\":[]}|leaseTime",
                "{\"retryLimit\":true}|retryLimit",
                "{\"priority\":99999999999}|priority",
                "{\"deadLetterQueue\":1}|deadLetterQueue",
                "{\"encryptionEnabled\":\"yes\"}|encryptionEnabled"
            })
    void option_wrong_isRefusedByName(String body, String field) {
        assertThat(Refusal.of(bytes -> JsonBody.read(bytes, OptionsReader::read), body)
                        .field())
                .isEqualTo("options." + field);
    }

    @Test
    void leaseTime_beyondAYear_isRefusedWithTheRange() {
        assertThat(Refusal.of(bytes -> JsonBody.read(bytes, OptionsReader::read), "{\"leaseTime\":31536001}"))
                .hasMessage("options.leaseTime must be a whole number from 0 to 31536000");
    }

    @Test
    void retryBackoff_unknown_isRefusedWithTheWords() {
        assertThat(Refusal.of(bytes -> JsonBody.read(bytes, OptionsReader::read), "{\"retryBackoff\":\"linear\"}"))
                .hasMessage("options.retryBackoff must be fixed or exponential");
    }

    @Test
    void retryBackoff_exponentialFromNothing_saysWhatItNeeds() {
        assertThat(Refusal.of(bytes -> JsonBody.read(bytes, OptionsReader::read), "{\"retryBackoff\":\"exponential\"}"))
                .hasMessage("options.retryBackoff exponential needs a retryDelay above 0");
    }

    @Test
    void retryDelayMax_belowAFixedDelay_isTaken() {
        assertThat(read("{\"retryDelay\":7200000}").retryDelay()).isEqualTo(7_200_000);
    }

    @Test
    void options_null_areTheDefaults() {
        assertThat(read(
                        "{\"leaseTime\":null,\"retryDelay\":null,\"retryBackoff\":null,\"retryJitter\":null,\"retentionEnabled\":null,\"priority\":null,"
                                + "\"deadLetterQueue\":null}"))
                .isEqualTo(QueueOptions.DEFAULTS);
    }

    private static QueueOptions read(String body) {
        return JsonBody.read(body.getBytes(UTF_8), OptionsReader::read);
    }
}
