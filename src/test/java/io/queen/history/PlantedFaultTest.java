package io.queen.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Sql;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fault that is planted in SQL fits the functions of today; whether it is found takes the long run. */
class PlantedFaultTest {
    @ParameterizedTest
    @EnumSource(PlantedFault.class)
    void plant_currentSchema_changesIt(PlantedFault fault) {
        try (Sql sql = Sql.openMigrated().begin()) {
            String before = functions(sql);
            fault.plant(sql);
            assertThat(functions(sql).equals(before))
                    .isEqualTo(fault.looksLike().isPresent());
        }
    }

    /** All that is defined in the schema, as one digest. */
    private static String functions(Sql sql) {
        return sql.text("select md5(string_agg(pg_get_functiondef(p.oid), '' order by p.oid))"
                + " from pg_proc p where p.pronamespace = 'queen'::regnamespace");
    }
}
