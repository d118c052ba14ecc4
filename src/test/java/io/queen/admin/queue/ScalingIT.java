package io.queen.admin.queue;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class ScalingIT extends ScalingTest {}
