package io.queen.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checker finds what is broken on purpose: in {@code -Phistory}, and with {@code -Dit.test=PlantedFaultProcessTest}. */
class PlantedFaultProcessTest {
    private static final int SECONDS = 20;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(PlantedFault.class)
    void planted_always_isFound(PlantedFault fault) throws Exception {
        long seed = Long.getLong("history.seed", new Random().nextInt(1_000_000));
        Run.Report report = new Run(seed, SECONDS, List.of()).with(fault).on(directory);
        Set<String> names = report.violations().stream()
                .map(violation -> violation.invariant() + " " + violation.name())
                .collect(Collectors.toSet());
        System.out.println(fault + ": " + report + " " + names);
        assertThat(names).as(report.toString()).containsAnyElementsOf(fault.evidence());
    }
}
