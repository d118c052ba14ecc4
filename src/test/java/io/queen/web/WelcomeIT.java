package io.queen.web;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class WelcomeIT extends WelcomeTest {}
