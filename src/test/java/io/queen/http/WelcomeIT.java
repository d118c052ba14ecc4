package io.queen.http;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class WelcomeIT extends WelcomeTest {}
