package io.queen.http;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class ScalingResourceIT extends ScalingResourceTest {}
