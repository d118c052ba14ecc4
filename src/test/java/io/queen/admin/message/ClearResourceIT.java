package io.queen.admin.message;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class ClearResourceIT extends ClearResourceTest {}
