package io.queen.stream;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class StreamQueriesIT extends StreamQueriesTest {}
