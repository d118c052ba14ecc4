package io.queen.metrics;

import io.queen.message.AckResult;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.message.PoppedMessage;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.TransactionResult;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Counts what requests did, for the series: one look-up per request and run of items of the same queue. */
public final class MessageCounting {
    private final CounterRegistry tallies;

    public MessageCounting(CounterRegistry tallies) {
        this.tallies = tallies;
    }

    public void pushed(List<PushItem> items, List<PushResult> results) {
        tallies.server().add(CounterKind.PUSH_REQUESTS, 1);
        Set<String> seen = new HashSet<>();
        runs(items.size(), i -> items.get(i).queue(), run -> {
            if (seen.add(run.queue)) {
                run.tally().add(CounterKind.PUSH_REQUESTS, 1);
            }
            int stored = 0;
            for (int i = run.from; i < run.to; i++) {
                stored += results.get(i).status() == PushResult.Status.QUEUED ? 1 : 0;
            }
            both(run.tally(), CounterKind.PUSH_MESSAGES, stored);
        });
    }

    public void popped(PopRequest request, PopResult result) {
        tallies.server().add(CounterKind.POP_REQUESTS, 1);
        String named = queue(request.target());
        if (named != null) {
            tallies.of(named).add(CounterKind.POP_REQUESTS, 1);
        }
        if (result.isEmpty()) {
            tallies.server().add(CounterKind.POP_EMPTY, 1);
            if (named != null) {
                tallies.of(named).add(CounterKind.POP_EMPTY, 1);
            }
            return;
        }
        long now = System.currentTimeMillis();
        List<PoppedMessage> messages = result.messages();
        runs(messages.size(), i -> messages.get(i).claim().queue(), run -> {
            both(run.tally(), CounterKind.POP_MESSAGES, run.to - run.from);
            lag(run, messages, now);
        });
    }

    private void lag(Run run, List<PoppedMessage> messages, long now) {
        long sum = 0;
        long longest = 0;
        for (int i = run.from; i < run.to; i++) {
            long lag = Math.max(0, now - messages.get(i).createdAt().toInstant().toEpochMilli());
            sum += lag;
            longest = Math.max(longest, lag);
        }
        run.tally().lag(sum, longest);
        tallies.server().lag(sum, longest);
    }

    public void acked(List<AckResult> results) {
        tallies.server().add(CounterKind.ACK_REQUESTS, 1);
        Set<String> seen = new HashSet<>();
        runs(results.size(), i -> results.get(i).queue(), run -> {
            if (run.queue != null && seen.add(run.queue)) {
                run.tally().add(CounterKind.ACK_REQUESTS, 1);
            }
            acked(run.tally(), results.subList(run.from, run.to));
        });
    }

    public void transaction(TransactionResult result) {
        tallies.server().add(CounterKind.TRANSACTIONS, 1);
        Set<String> seen = new HashSet<>();
        for (TransactionResult.OperationResult operation : result.results()) {
            if (operation instanceof TransactionResult.Pushed pushed) {
                QueueCounters tally = tallies.of(pushed.item().queue());
                tally.add(CounterKind.TRANSACTIONS, seen.add(pushed.item().queue()) ? 1 : 0);
                both(tally, CounterKind.PUSH_MESSAGES, 1);
            } else if (operation instanceof TransactionResult.Acknowledged acked) {
                String queue = acked.result().queue();
                QueueCounters tally = queue == null ? null : tallies.of(queue);
                if (tally != null) {
                    tally.add(CounterKind.TRANSACTIONS, seen.add(queue) ? 1 : 0);
                }
                acked(tally, List.of(acked.result()));
            }
        }
    }

    private void acked(QueueCounters tally, List<AckResult> results) {
        int failed = 0;
        int dead = 0;
        for (AckResult result : results) {
            failed += result.error() == null ? 0 : 1;
            dead += result.deadLettered() ? 1 : 0;
        }
        both(tally, CounterKind.ACK_MESSAGES, results.size());
        both(tally, CounterKind.ACK_SUCCESS, results.size() - failed);
        both(tally, CounterKind.ACK_FAILED, failed);
        both(tally, CounterKind.DEAD_LETTERS, dead);
    }

    private void both(QueueCounters queue, CounterKind figure, long count) {
        tallies.server().add(figure, count);
        if (queue != null) {
            queue.add(figure, count);
        }
    }

    private static String queue(PopTarget target) {
        if (target instanceof PopTarget.Queue queue) {
            return queue.queue();
        }
        return target instanceof PopTarget.Partition one ? one.queue() : null;
    }

    /** Neighbours of one queue; the queue is null for acks of messages that nobody knows. */
    private final class Run {
        final String queue;
        final int from;
        final int to;
        private final QueueCounters tally;

        Run(String queue, int from, int to) {
            this.queue = queue;
            this.from = from;
            this.to = to;
            this.tally = queue == null ? null : tallies.of(queue);
        }

        QueueCounters tally() {
            return tally;
        }
    }

    private void runs(int size, IntFunction<String> queueOf, Consumer<Run> each) {
        int from = 0;
        while (from < size) {
            String queue = queueOf.apply(from);
            int to = from + 1;
            while (to < size && Objects.equals(queue, queueOf.apply(to))) {
                to++;
            }
            each.accept(new Run(queue, from, to));
            from = to;
        }
    }
}
