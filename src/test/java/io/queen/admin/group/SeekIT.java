package io.queen.admin.group;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class SeekIT extends SeekTest {}
