package io.queen.origin;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class ListedOriginIT extends ListedOriginTest {}
