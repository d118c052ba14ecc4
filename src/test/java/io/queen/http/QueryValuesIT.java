package io.queen.http;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class QueryValuesIT extends QueryValuesTest {}
