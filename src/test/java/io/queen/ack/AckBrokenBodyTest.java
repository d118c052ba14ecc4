package io.queen.ack;

import io.queen.web.BrokenBodyContract;

class AckBrokenBodyTest extends BrokenBodyContract {
    private static final String BODY = "{\"transactionId\":\"é\",\"extra\":[{}],"
            + "\"partitionId\":\"01890000-0000-7000-8000-000000000000\",\"consumerGroup\":\"g\"}";

    AckBrokenBodyTest() {
        super(AckReader::one, BODY);
    }
}
