package io.queen.pop;

import io.quarkus.test.junit.QuarkusIntegrationTest;

@QuarkusIntegrationTest
class DeliverLaterIT extends DeliverLaterTest {}
