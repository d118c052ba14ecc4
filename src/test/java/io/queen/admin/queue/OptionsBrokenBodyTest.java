package io.queen.admin.queue;

import io.queen.web.BrokenBodyContract;
import io.queen.web.JsonBody;

class OptionsBrokenBodyTest extends BrokenBodyContract {
    private static final String BODY =
            "{\"leaseTime\":\"5\",\"deadLetterQueue\":true,\"other\":[{}],\"ttl\":null,\"priority\":-1}";

    OptionsBrokenBodyTest() {
        super(bytes -> JsonBody.read(bytes, OptionsReader::read), BODY);
    }

    /** Options stand inside of a body: what is blank is read as none. */
    @Override
    protected void assertBlankIsRefused() {}
}
