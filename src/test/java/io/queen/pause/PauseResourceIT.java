package io.queen.pause;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class PauseResourceIT extends PauseResourceTest {}
