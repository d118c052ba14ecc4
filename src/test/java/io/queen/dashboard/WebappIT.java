package io.queen.dashboard;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class WebappIT extends WebappTest {}
