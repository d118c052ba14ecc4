package io.queen.tracing;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class NotTracedIT extends NotTracedTest {}
