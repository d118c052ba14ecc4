package io.queen.admin.maintenance;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class MaintenanceResourceIT extends MaintenanceResourceTest {}
