package io.queen.stream;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class StreamDeliveryIT extends StreamDeliveryTest {}
