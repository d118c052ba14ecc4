package io.queen.testing;

import io.queen.embedded.TestPostgres;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Leaves tests out that are to run on an installed PostgreSQL where there is none, before they or a server ask for it. */
final class InstalledPostgresCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return TestPostgres.isMissing()
                ? ConditionEvaluationResult.disabled(Skip.NO_INSTALLED_POSTGRES.reason())
                : ConditionEvaluationResult.enabled("there is the PostgreSQL that it needs");
    }
}
