package io.queen.bench;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class BenchScenariosIT extends BenchScenariosTest {}
