package io.queen.schedule;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class ScheduleResourceIT extends ScheduleResourceTest {}
