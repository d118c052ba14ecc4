package io.queen.buffer;

import io.queen.message.PushItem;
import java.util.List;

/**
 * A buffered request on its way to the database.
 *
 * @param body as it lies in the file, perhaps encrypted
 * @param items as they were pushed
 */
record BufferedRequest(Segment segment, long start, long end, RecordBody body, List<PushItem> items) {}
