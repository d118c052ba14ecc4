package io.queen.push;

import io.queen.web.BrokenBodyContract;

class PushBrokenBodyTest extends BrokenBodyContract {
    private static final String BODY = "{\"x\":[1,{\"y\":null}],\"items\":[{\"queue\":\"é😀\",\"partition\":\"p\","
            + "\"payload\":{\"a\":[1.5e3,true,\"\\u00e9\\ud800\"]},\"transactionId\":\"t\","
            + "\"traceId\":\"01890000-0000-7000-8000-000000000000\"},{\"queue\":\"q\"}]}";

    PushBrokenBodyTest() {
        super(bytes -> PushReader.read(bytes, null), BODY);
    }
}
