package io.queen.pause;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.web.TimeFormat;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The answers about pauses. */
@RegisterForReflection
final class PauseAnswer {
    private PauseAnswer() {}

    record Changed(
            boolean success,
            String queue,

            @Schema(description = "Null for the whole queue", nullable = true)
            String consumerGroup,

            boolean paused,

            @Schema(description = "Whether it was different before")
            boolean changed,

            @Schema(format = "date-time", nullable = true) String pausedAt) {}

    record Paused(
            String queue,

            @Schema(description = "Null for the whole queue", nullable = true)
            String consumerGroup,

            @Schema(format = "date-time") String pausedAt) {}

    record All(List<Paused> pauses) {}

    static Changed of(String queue, String group, boolean paused, PauseChange change) {
        if (!change.known()) {
            throw new QueenException(ErrorCode.QUEUE_NOT_FOUND, "Queue not found: " + queue);
        }
        if (change.full()) {
            throw new QueenException(ErrorCode.CONFLICT, "1,000 pauses are in force, resume others first");
        }
        String since = change.since() == null ? null : TimeFormat.millis(change.since());
        return new Changed(true, queue, group, paused, change.changed(), since);
    }

    static All of(List<Pause> pauses) {
        return new All(pauses.stream()
                .map(pause -> new Paused(pause.queue(), pause.group(), TimeFormat.millis(pause.since())))
                .toList());
    }
}
