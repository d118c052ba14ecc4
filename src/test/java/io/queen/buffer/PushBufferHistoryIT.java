package io.queen.buffer;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class PushBufferHistoryIT extends PushBufferHistoryTest {}
