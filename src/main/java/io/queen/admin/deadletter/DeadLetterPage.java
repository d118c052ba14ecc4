package io.queen.admin.deadletter;

import io.queen.admin.message.DescribedMessage;
import java.util.List;

/** A part of the dead letters that match, and how many match in all. */
public record DeadLetterPage(List<DescribedMessage> letters, long total) {}
