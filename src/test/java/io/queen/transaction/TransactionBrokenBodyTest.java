package io.queen.transaction;

import io.queen.web.BrokenBodyContract;

class TransactionBrokenBodyTest extends BrokenBodyContract {
    private static final String BODY = "{\"operations\":[{\"type\":\"push\",\"items\":[{\"queue\":\"é\","
            + "\"payload\":[{}]}]},{\"queue\":\"q\",\"data\":\"d\",\"type\":\"push\"},{\"type\":\"ack\","
            + "\"transactionId\":\"t\",\"partitionId\":\"01890000-0000-7000-8000-000000000000\"}],"
            + "\"requiredLeases\":[\"\",null,\"x\"]}";

    TransactionBrokenBodyTest() {
        super(bytes -> TransactionReader.read(bytes, null), BODY);
    }
}
