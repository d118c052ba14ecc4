package io.queen.metrics;

import io.queen.message.AckResult;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.message.PoppedMessage;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.TransactionResult;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Counts what requests did, for the series: one look-up per request and run of items of the same queue. */
@Singleton
public final class MessageCounting {
    private final CounterRegistry registry;

    MessageCounting(CounterRegistry registry) {
        this.registry = registry;
    }

    public void pushed(List<PushItem> items, List<PushResult> results) {
        registry.server().add(CounterKind.PUSH_REQUESTS, 1);
        Set<String> seen = new HashSet<>();
        runs(items.size(), i -> items.get(i).queue(), run -> {
            if (seen.add(run.queue())) {
                run.counters().add(CounterKind.PUSH_REQUESTS, 1);
            }
            int stored = 0;
            for (int i = run.from(); i < run.to(); i++) {
                stored += results.get(i).status() == PushResult.Status.QUEUED ? 1 : 0;
            }
            both(run.counters(), CounterKind.PUSH_MESSAGES, stored);
        });
    }

    public void popped(PopRequest request, PopResult result) {
        QueueCounters named = counters(request.target());
        both(named, CounterKind.POP_REQUESTS, 1);
        if (result.isEmpty()) {
            both(named, CounterKind.POP_EMPTY, 1);
            return;
        }
        long now = System.currentTimeMillis();
        List<PoppedMessage> messages = result.messages();
        runs(messages.size(), i -> messages.get(i).claim().queue(), run -> {
            both(run.counters(), CounterKind.POP_MESSAGES, run.to() - run.from());
            lag(run, messages, now);
        });
    }

    private void lag(Run run, List<PoppedMessage> messages, long now) {
        long sum = 0;
        long longest = 0;
        for (int i = run.from(); i < run.to(); i++) {
            long lag =
                    Math.max(0, now - messages.get(i).availableAt().toInstant().toEpochMilli());
            sum += lag;
            longest = Math.max(longest, lag);
        }
        run.counters().lag(sum, longest);
        registry.server().lag(sum, longest);
    }

    public void acked(List<AckResult> results) {
        registry.server().add(CounterKind.ACK_REQUESTS, 1);
        Set<String> seen = new HashSet<>();
        runs(results.size(), i -> results.get(i).queue(), run -> {
            if (run.queue() != null && seen.add(run.queue())) {
                run.counters().add(CounterKind.ACK_REQUESTS, 1);
            }
            acked(run.counters(), results.subList(run.from(), run.to()));
        });
    }

    public void transaction(TransactionResult result) {
        registry.server().add(CounterKind.TRANSACTIONS, 1);
        Set<String> seen = new HashSet<>();
        for (TransactionResult.OperationResult operation : result.results()) {
            if (operation instanceof TransactionResult.Pushed pushed) {
                QueueCounters counters = registry.of(pushed.item().queue());
                counters.add(CounterKind.TRANSACTIONS, seen.add(pushed.item().queue()) ? 1 : 0);
                both(counters, CounterKind.PUSH_MESSAGES, 1);
            } else if (operation instanceof TransactionResult.Acknowledged acked) {
                String queue = acked.result().queue();
                QueueCounters counters = queue == null ? null : registry.of(queue);
                if (counters != null) {
                    counters.add(CounterKind.TRANSACTIONS, seen.add(queue) ? 1 : 0);
                }
                acked(counters, List.of(acked.result()));
            }
        }
    }

    /** What a cycle of a stream did; {@code ack} is null when it had none, {@code acked} the messages that it was for. */
    public void cycle(List<PushItem> items, List<PushResult> results, AckResult ack, int acked) {
        runs(items.size(), i -> items.get(i).queue(), run -> {
            int stored = 0;
            for (int i = run.from(); i < run.to(); i++) {
                stored += results.get(i).status() == PushResult.Status.QUEUED ? 1 : 0;
            }
            both(run.counters(), CounterKind.PUSH_MESSAGES, stored);
        });
        if (ack != null) {
            QueueCounters counters = registry.of(ack.queue());
            both(counters, CounterKind.ACK_MESSAGES, acked);
            both(counters, CounterKind.ACK_SUCCESS, acked);
            both(counters, CounterKind.DEAD_LETTERS, ack.deadLettered() ? 1 : 0);
        }
    }

    private void acked(QueueCounters counters, List<AckResult> results) {
        int failed = 0;
        int dead = 0;
        for (AckResult result : results) {
            failed += result.error() == null ? 0 : 1;
            dead += result.deadLettered() ? 1 : 0;
        }
        both(counters, CounterKind.ACK_MESSAGES, results.size());
        both(counters, CounterKind.ACK_SUCCESS, results.size() - failed);
        both(counters, CounterKind.ACK_FAILED, failed);
        both(counters, CounterKind.DEAD_LETTERS, dead);
    }

    private void both(QueueCounters queue, CounterKind kind, long count) {
        registry.server().add(kind, count);
        if (queue != null) {
            queue.add(kind, count);
        }
    }

    /** Those of the queue that the request names; null when it names none. */
    private QueueCounters counters(PopTarget target) {
        if (target instanceof PopTarget.Queue queue) {
            return registry.of(queue.queue());
        }
        return target instanceof PopTarget.Partition one ? registry.of(one.queue()) : null;
    }

    /** Neighbours of one queue; the queue is null for acks of unknown messages. */
    private record Run(String queue, QueueCounters counters, int from, int to) {}

    private void runs(int size, IntFunction<String> queueOf, Consumer<Run> each) {
        int from = 0;
        while (from < size) {
            String queue = queueOf.apply(from);
            int to = from + 1;
            while (to < size && Objects.equals(queue, queueOf.apply(to))) {
                to++;
            }
            each.accept(new Run(queue, queue == null ? null : registry.of(queue), from, to));
            from = to;
        }
    }
}
