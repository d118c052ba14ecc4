package io.queen.k8s;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class DashboardIT extends DashboardTest {}
