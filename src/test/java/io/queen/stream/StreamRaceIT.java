package io.queen.stream;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class StreamRaceIT extends StreamRaceTest {}
