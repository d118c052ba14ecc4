package io.queen.tls;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class TlsIT extends TlsTest {}
