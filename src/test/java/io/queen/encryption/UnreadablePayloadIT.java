package io.queen.encryption;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class UnreadablePayloadIT extends UnreadablePayloadTest {}
