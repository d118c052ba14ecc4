package io.queen.admin.trace;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class TraceResourceIT extends TraceResourceTest {}
