package io.queen.push;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class HeadersIT extends HeadersTest {}
