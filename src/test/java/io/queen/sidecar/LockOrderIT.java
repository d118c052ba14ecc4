package io.queen.sidecar;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class LockOrderIT extends LockOrderTest {}
