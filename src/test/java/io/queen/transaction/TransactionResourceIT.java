package io.queen.transaction;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class TransactionResourceIT extends TransactionResourceTest {}
