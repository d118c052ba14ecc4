package io.queen.pop;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class LongPollHttpIT extends LongPollHttpTest {}
