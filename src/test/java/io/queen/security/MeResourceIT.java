package io.queen.security;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class MeResourceIT extends MeResourceTest {}
