package io.queen.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.queen.message.Ack;
import io.queen.message.AckResult;
import io.queen.message.ErrorCode;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.message.PoppedMessage;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.QueenException;
import io.queen.message.Transaction;
import io.queen.message.TransactionResult;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The span of one request, told what the request is about and what became of it: names, ids and counts, never payloads.
 * Touched on the event loop of its request only. One that is not traced is told nothing, but its messages still carry that
 * the caller decided so.
 */
public final class RequestSpan {
    static final RequestSpan NONE = new RequestSpan(null, Span.getInvalid());

    private final MessageWork work;
    private final Span span;
    /** A pop that found nothing is not worth telling: idle consumers would be most of all that is told. */
    private boolean untold;

    RequestSpan(MessageWork work, Span span) {
        this.work = work;
        this.span = span;
        this.untold = work == MessageWork.POP;
        if (span.isRecording()) {
            span.setAttribute("messaging.system", "queen").setAttribute("messaging.operation.name", work.label());
            set("messaging.operation.type", work.type());
        }
    }

    Span span() {
        return span;
    }

    /** What is pushed. A message without a trace gets this one; those of other traces are linked to. */
    public List<PushItem> sends(List<PushItem> items) {
        if (!span.getSpanContext().isValid()) {
            return items;
        }
        if (span.isRecording()) {
            about(same(items, PushItem::queue), same(items, PushItem::partition), items.size());
            set("queen.transaction_id", same(items, PushItem::transactionId));
            link(items, PushItem::headers);
        }
        TraceHeaders headers = new TraceHeaders(span.getSpanContext());
        return items.stream()
                .map(item -> item.withHeaders(headers.addTo(item.headers())))
                .toList();
    }

    public void sent(List<PushResult> results) {
        if (span.isRecording()) {
            set("messaging.message.id", same(results, result -> Objects.toString(result.messageId(), null)));
            refused(results.stream()
                    .filter(result -> result.status() == PushResult.Status.FAILED)
                    .count());
        }
    }

    public PopRequest receives(PopRequest request) {
        if (span.isRecording()) {
            about(
                    queue(request.target()),
                    request.target() instanceof PopTarget.Partition one ? one.partition() : null,
                    -1);
            if (!request.consumerGroup().equals(Ack.QUEUE_MODE)) {
                set("messaging.consumer.group.name", request.consumerGroup());
            }
        }
        return request;
    }

    private static String queue(PopTarget target) {
        if (target instanceof PopTarget.Queue any) {
            return any.queue();
        }
        return target instanceof PopTarget.Partition one ? one.queue() : null;
    }

    public void received(PopResult result) {
        untold = result.isEmpty();
        if (!untold && span.isRecording()) {
            about(
                    same(result.messages(), message -> message.claim().queue()),
                    same(result.messages(), message -> message.claim().partition()),
                    result.messages().size());
            set(
                    "messaging.message.id",
                    same(result.messages(), message -> message.id().toString()));
            link(result.messages(), PoppedMessage::headers);
        }
    }

    public List<Ack> settles(List<Ack> acks) {
        if (span.isRecording()) {
            about(null, null, acks.size());
            set("queen.transaction_id", same(acks, Ack::transactionId));
            String group = same(acks, Ack::consumerGroup);
            set("messaging.consumer.group.name", Ack.QUEUE_MODE.equals(group) ? null : group);
        }
        return acks;
    }

    public void settled(List<AckResult> results) {
        if (span.isRecording()) {
            about(same(results, AckResult::queue), same(results, AckResult::partition), results.size());
            refused(results.stream().filter(result -> result.error() != null).count());
        }
    }

    /** What is pushed and acked together. */
    public Transaction commits(Transaction transaction) {
        List<PushItem> items = transaction.operations().stream()
                .filter(Transaction.Push.class::isInstance)
                .map(operation -> ((Transaction.Push) operation).item())
                .toList();
        Iterator<PushItem> sent = sends(items).iterator();
        if (span.isRecording()) {
            long acks = transaction.operations().stream()
                    .filter(Transaction.Acknowledge.class::isInstance)
                    .count();
            span.setAttribute("queen.transaction.acks", acks);
        }
        List<Transaction.Operation> operations = transaction.operations().stream()
                .map(operation -> operation instanceof Transaction.Push ? new Transaction.Push(sent.next()) : operation)
                .toList();
        return new Transaction(operations, transaction.requiredLeases());
    }

    public void committed(TransactionResult result) {
        refused(result.error() == null ? 0 : 1);
    }

    /** Null for what is not the same for all. */
    private static <T> String same(List<T> all, Function<T, String> part) {
        String first = all.isEmpty() ? null : part.apply(all.get(0));
        return all.stream().allMatch(one -> Objects.equals(part.apply(one), first)) ? first : null;
    }

    private void about(String queue, String partition, int messages) {
        if (queue != null) {
            span.updateName(work.label() + ' ' + queue);
        }
        set("messaging.destination.name", queue);
        set("messaging.destination.partition.id", partition);
        if (messages >= 0) {
            span.setAttribute("messaging.batch.message_count", messages);
        }
    }

    private void set(String attribute, String value) {
        if (value != null) {
            span.setAttribute(attribute, value);
        }
    }

    private <T> void link(List<T> messages, Function<T, String> headers) {
        messages.stream()
                .map(headers)
                .distinct()
                .limit(Tracing.MAX_LINKS)
                .map(TraceHeaders::read)
                .filter(SpanContext::isValid)
                .distinct()
                .forEach(span::addLink);
    }

    private void refused(long count) {
        if (count > 0) {
            span.setAttribute("queen.refused", count).setStatus(StatusCode.ERROR);
        }
    }

    void end(Throwable failure) {
        if (failure != null) {
            fail(span, failure);
        }
        if (failure != null || !untold) {
            span.end();
        }
    }

    /** The code alone: a message may quote what was sent. */
    static void fail(Span span, Throwable failure) {
        ErrorCode code = failure instanceof QueenException known ? known.code() : ErrorCode.INTERNAL_ERROR;
        span.setStatus(StatusCode.ERROR).setAttribute("error.type", code.name());
    }
}
