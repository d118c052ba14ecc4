package io.queen.fuzz;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class FuzzIT extends FuzzTest {}
