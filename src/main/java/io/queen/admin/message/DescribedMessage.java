package io.queen.admin.message;

/**
 * A message as inspection shows it.
 *
 * @param json an object with all but the payload
 * @param payload as it is stored; null when it is gone
 */
public record DescribedMessage(String json, String payload, boolean encrypted) {}
