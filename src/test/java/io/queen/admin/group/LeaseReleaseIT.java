package io.queen.admin.group;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class LeaseReleaseIT extends LeaseReleaseTest {}
