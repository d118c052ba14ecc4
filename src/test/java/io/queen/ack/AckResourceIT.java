package io.queen.ack;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class AckResourceIT extends AckResourceTest {}
