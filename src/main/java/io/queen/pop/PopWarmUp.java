package io.queen.pop;

import io.queen.database.Connection;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.pop.ready.PopMetrics;
import io.queen.pop.ready.ReadyQuestions;
import io.queen.pop.ready.ReadyQuestions.Question;
import io.queen.pop.ready.ReadyStore;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.UUID;

/** Runs the statements of a pop once, for a partition that does not exist: a scan, changes since then, and a claim. */
final class PopWarmUp {
    private PopWarmUp() {}

    static Uni<Void> on(Connection connection, PopStatements statements, PopMetrics metrics) {
        UUID none = new UUID(0, 0);
        PopRequest request = new PopRequest(new PopTarget.Queue(""), "", 1, 1, false, null, none, null);
        Candidate candidate = new Candidate(new PopAttempt(request, metrics), none, null);
        ReadyQuestions questions = new ReadyStore(connection);
        return questions
                .changesSince(List.of(new Question("", "", null, null)))
                .flatMap(scanned -> questions.changesSince(
                        List.of(new Question("", "", scanned.get(0).mark(), null))))
                .flatMap(done -> statements.take(List.of(candidate), false, 1));
    }
}
