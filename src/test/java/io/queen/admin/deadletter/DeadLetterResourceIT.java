package io.queen.admin.deadletter;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class DeadLetterResourceIT extends DeadLetterResourceTest {}
