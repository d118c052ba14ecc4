package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.agroal.api.AgroalDataSource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

/** Shows in a review what a migration does to the schema, and that nobody changed it unseen. */
@QuarkusTest
class SchemaDumpTest {
    private static final Path FILE = Path.of("src/test/resources/schema.txt");

    @Inject
    AgroalDataSource source;

    @Inject
    Schema schema;

    @Test
    void schema_migrated_equalsTheCommittedDump() throws Exception {
        await().until(schema::ready);
        String actual;
        try (Connection connection = source.getConnection()) {
            actual = SchemaDump.of(connection);
        }
        if (Boolean.getBoolean("schema.write")) {
            Files.writeString(FILE, actual);
        }
        assertThat(actual)
                .as("the schema; if the change is meant: mvn test -Dtest=SchemaDumpTest -Dschema.write=true")
                .isEqualTo(Files.readString(FILE));
    }
}
