/**
 * The file buffer: what is pushed while PostgreSQL is away, or while push maintenance is on, is kept on the disk of this
 * server and brought to the database later.
 *
 * <pre>
 *   PushRouter ──▶ database                     the usual way, as long as nothing is buffered
 *      │
 *      └──▶ PushBuffer ──▶ Appender ──▶ Journal ──▶ segment file, fsynced ──▶ "buffered"
 *                                                        │
 *                                                      Drain ──▶ Delivery ──▶ database    one batch at a time,
 *                                                                                 in the order of the files
 * </pre>
 *
 * <p><b>Order.</b> A partition is <i>buffered</i> from the moment a push to it is buffered until its last buffered message
 * is in the database ({@code BufferedPartitions}). A push to a buffered partition waits for a moment while the drain makes
 * progress; then, or if there is no progress, it is buffered behind the others. Other partitions are pushed to directly.
 * So order is that of one server: pushes to one partition through several servers, while some of them buffer, have no
 * order between them.
 *
 * <p>Records are delivered in the order of the file, so a transaction outside that holds a partition holds up the drain
 * where it meets a message for it. What comes before is delivered all the same, what comes after waits on disk until that
 * transaction ends; partitions without buffered messages are pushed to directly all the while.
 *
 * <p><b>Once.</b> Every message has its transaction id when it is written. What is drained twice, because the server was
 * killed in between or because the first push had arrived after all, is a duplicate for the database.
 *
 * <p><b>Files.</b>
 *
 * <pre>
 *   FILE_BUFFER_DIR/
 *     slots/1794831725123-4711/          one per process, made when first needed
 *       lock                             locked by the process; the kernel frees it, however the process ends
 *       00000001-9f86d081884c7d65.segment
 *       drained                          name of a segment, and up to where it is in the database
 *     failed/                            what can't be stored: never looked at again, never deleted
 *       ….segment                        records that the database refused, or that can't be decrypted
 *       ….damaged                        bytes that are no record
 * </pre>
 *
 * <p>A slot that no process has locked belonged to a server that is gone: the server that finds it adopts it, at its
 * start or within ten seconds. To try a failed segment again, move it into a new directory under {@code slots/}.
 *
 * <p><b>A segment</b> is a row of records, each one push request: it is stored whole or not at all.
 *
 * <pre>
 *   8 bytes   mark: random, the same in all records of a file, also in the name of the file
 *   4 bytes   length of the body
 *   4 bytes   CRC32C of mark, length and body
 *   n bytes   body, see RecordBody
 * </pre>
 *
 * <p>A reader that meets something else looks for the next mark that begins a whole record. No payload can contain the
 * mark but by a chance of 2⁻⁶⁴, because it is made up when the file is: what looks like a record is one. An incomplete
 * record at the end was never answered {@code buffered}; it is dropped.
 *
 * <p>No library was found for this: those for Java keep one file that is rewritten in place and rely on a file system
 * that writes blocks whole (Tape), need access to the inside of the JVM (Chronicle), or have no fsync per request.
 *
 * <p>With {@code QUEEN_ENCRYPTION_KEYS} all payloads are encrypted in the files, because a server without its database
 * can't know which queues ask for it.
 */
package io.queen.buffer;
