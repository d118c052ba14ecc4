package io.queen.series;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class StatusSeriesIT extends StatusSeriesTest {}
