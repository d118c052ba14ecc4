package io.queen.push;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.PushItem;
import io.queen.message.QueenException;
import io.queen.web.JsonBody;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The body of a push: {@code {"items": [ITEM, …]}}. */
public final class PushReader {
    private PushReader() {}

    static List<PushItem> read(byte[] bytes) {
        return JsonBody.read(bytes, PushReader::object);
    }

    private static List<PushItem> object(JsonBody body) throws IOException {
        List<PushItem> items = null;
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.missing("items");
        }
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            switch (name) {
                case "items" -> items = items(body);
                // Some clients ask for a buffer that Queen does not need.
                case "bufferMs", "bufferMax" -> body.skip();
                default -> body.unknown("", name);
            }
        }
        if (items == null) {
            throw QueenException.missing("items");
        }
        return items;
    }

    private static List<PushItem> items(JsonBody body) throws IOException {
        if (body.current() != JsonToken.START_ARRAY) {
            throw QueenException.invalid("items", "must be an array");
        }
        List<PushItem> items = new ArrayList<>();
        PushItemReader reader = new PushItemReader(body, "null");
        while (body.next() != JsonToken.END_ARRAY) {
            items.add(reader.read("items[" + items.size() + "]"));
        }
        return items;
    }
}
