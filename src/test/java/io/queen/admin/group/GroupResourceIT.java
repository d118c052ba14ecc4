package io.queen.admin.group;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class GroupResourceIT extends GroupResourceTest {}
