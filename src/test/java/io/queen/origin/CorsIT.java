package io.queen.origin;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class CorsIT extends CorsTest {}
