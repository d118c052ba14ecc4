package io.queen.admin.server;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class MetricsResourceIT extends MetricsResourceTest {}
