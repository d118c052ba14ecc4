package io.queen;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class ReencryptCommandIT extends ReencryptCommandTest {}
