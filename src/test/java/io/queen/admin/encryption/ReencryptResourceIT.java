package io.queen.admin.encryption;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class ReencryptResourceIT extends ReencryptResourceTest {}
