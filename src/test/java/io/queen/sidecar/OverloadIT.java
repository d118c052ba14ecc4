package io.queen.sidecar;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class OverloadIT extends OverloadTest {}
