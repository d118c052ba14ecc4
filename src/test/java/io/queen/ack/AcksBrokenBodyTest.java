package io.queen.ack;

import io.queen.web.BrokenBodyContract;

class AcksBrokenBodyTest extends BrokenBodyContract {
    private static final String BODY = "{\"consumerGroup\":\"g\",\"acknowledgments\":[{\"transactionId\":\"é\","
            + "\"partitionId\":\"01890000-0000-7000-8000-000000000000\",\"status\":\"failed\",\"leaseId\":null,"
            + "\"error\":\"e\"}]}";

    AcksBrokenBodyTest() {
        super(AckReader::batch, BODY);
    }
}
