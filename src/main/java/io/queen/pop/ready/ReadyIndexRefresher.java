package io.queen.pop.ready;

import io.quarkus.runtime.StartupEvent;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.pop.ready.ReadyQuestions.Answer;
import io.queen.pop.ready.ReadyQuestions.Question;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks into the push log for ready partitions that no pop asked for in a while, so that what they know never grows older than the
 * log: the next pop, however late, need not scan the queue again.
 */
@Singleton
final class ReadyIndexRefresher {
    private static final long EVERY_MS = 10_000;
    private static final int AT_ONCE = 500;

    private final PeriodicTasks tasks;
    private final Schema schema;
    private final Database database;
    private final ReadyIndex index;

    ReadyIndexRefresher(PeriodicTasks tasks, Schema schema, Database database, ReadyIndex index) {
        this.tasks = tasks;
        this.schema = schema;
        this.database = database;
        this.index = index;
    }

    void start(@Observes StartupEvent event) {
        schema.onReady(tasks.every(EVERY_MS, "What partitions have news is not looked up", this::keep)::start);
    }

    private Uni<Void> keep() {
        return refresh(index, new ReadyStore(database));
    }

    static Uni<Void> refresh(ReadyIndex index, ReadyQuestions store) {
        Iterator<ReadyPartitions> all = index.queues().values().stream()
                .flatMap(groups -> groups.values().stream())
                .iterator();
        return ask(all, store);
    }

    /** Asks for some after the others, each by the time of its question. Where that fails, the others are asked all the same. */
    private static Uni<Void> ask(Iterator<ReadyPartitions> all, ReadyQuestions store) {
        long now = System.nanoTime();
        Map<ReadyPartitions, Question> questions = new LinkedHashMap<>();
        while (all.hasNext() && questions.size() < AT_ONCE) {
            ReadyPartitions ready = all.next();
            Question question = ready.questionOlderThan(EVERY_MS, now);
            if (question != null && question.mark() != null) {
                questions.put(ready, question);
            }
        }
        return questions.isEmpty()
                ? Uni.createFrom().voidItem()
                : store.changesSince(List.copyOf(questions.values()))
                        .invoke(answers -> tell(questions, answers, now))
                        .replaceWithVoid()
                        .onItemOrFailure()
                        .transformToUni((done, failure) -> failure == null
                                ? ask(all, store)
                                : ask(all, store)
                                        .flatMap(rest -> Uni.createFrom().failure(failure)));
    }

    private static void tell(Map<ReadyPartitions, Question> questions, List<Answer> answers, long asked) {
        Iterator<Answer> next = answers.iterator();
        questions.forEach((ready, question) -> ready.answer(question, next.next(), asked, System.nanoTime()));
    }
}
