package io.queen.metrics;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class PrometheusFamiliesIT extends PrometheusFamiliesTest {}
