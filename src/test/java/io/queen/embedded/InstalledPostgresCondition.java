package io.queen.embedded;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Leaves the tests out that are to run on an installed PostgreSQL where there is none. Found by JUnit as a service, and
 * only in the run that switches that on ({@code junit.jupiter.extensions.autodetection.enabled}).
 */
public final class InstalledPostgresCondition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return TestPostgres.isInstalledOne() && InstalledPostgres.home().isEmpty()
                ? ConditionEvaluationResult.disabled("No PostgreSQL is installed on this machine")
                : ConditionEvaluationResult.enabled("A PostgreSQL is installed, or none is needed");
    }
}
