/**
 * Spans of OpenTelemetry for what happens to messages, by the semantic conventions for messaging: {@code docs/tracing.md}
 * shows them. Off, unless there is a collector; off, a request pays one comparison and makes no object.
 *
 * <p>A span is handed on explicitly, or lies in the Vert.x context of its own request: never in a thread, which serves other
 * requests in between.
 */
package io.queen.tracing;
