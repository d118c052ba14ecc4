package io.queen.benchmark;

import org.junit.jupiter.api.Test;

/** Runs {@link PushCost}: {@code mvn test -Dtest=PushCostBenchmark}. */
class PushCostBenchmark {
    @Test
    void push_listOfHundred_againstABareInsert() throws Exception {
        PushCost.main(new String[0]);
    }
}
