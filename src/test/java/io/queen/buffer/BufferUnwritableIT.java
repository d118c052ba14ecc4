package io.queen.buffer;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class BufferUnwritableIT extends BufferUnwritableTest {}
