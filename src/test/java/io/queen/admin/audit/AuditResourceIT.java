package io.queen.admin.audit;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class AuditResourceIT extends AuditResourceTest {}
