package io.queen.buffer;

import io.queen.message.PushItem;
import java.util.List;

/**
 * A buffered request on its way to the database.
 *
 * @param items as they were pushed, decrypted
 */
record BufferedRequest(Segment segment, long start, long end, RecordBody envelope, List<PushItem> items) {}
