package io.queen.cost;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class PlanGuardIT extends PlanGuardTest {}
