package io.queen.dashboard;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class WelcomeIT extends WelcomeTest {}
