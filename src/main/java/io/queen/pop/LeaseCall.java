package io.queen.pop;

import io.queen.message.PopRequest;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The arguments of {@code pop_sm_take}, gathered candidate by candidate. */
public final class LeaseCall {
    private final List<Integer> requests = new ArrayList<>();
    private final List<UUID> partitionIds = new ArrayList<>();
    private final List<PopRequest> attributes = new ArrayList<>();

    /** Adds a candidate of the request with that number; those of one request side by side, in order of preference. */
    public void add(int number, PopRequest request, UUID partitionId) {
        requests.add(number);
        partitionIds.add(partitionId);
        attributes.add(request);
    }

    public int size() {
        return requests.size();
    }

    public int request(int candidate) {
        return requests.get(candidate);
    }

    public UUID partitionId(int candidate) {
        return partitionIds.get(candidate);
    }

    Tuple arguments(boolean again) {
        return Tuple.tuple()
                .addValue(requests.toArray(Integer[]::new))
                .addValue(partitionIds.toArray(UUID[]::new))
                .addValue(attributes.stream().map(PopRequest::consumerGroup).toArray(String[]::new))
                .addValue(attributes.stream().map(PopRequest::batch).toArray(Integer[]::new))
                .addValue(attributes.stream().map(PopRequest::partitions).toArray(Integer[]::new))
                .addValue(attributes.stream().map(PopRequest::leaseId).toArray(UUID[]::new))
                .addValue(attributes.stream().map(PopRequest::autoAck).toArray(Boolean[]::new))
                .addValue(attributes.stream().map(LeaseCall::start).toArray(OffsetDateTime[]::new))
                .addValue(attributes.stream().map(PopRequest::holder).toArray(String[]::new))
                .addValue(again);
    }

    private static OffsetDateTime start(PopRequest request) {
        return request.subscribes() ? request.subscription().time() : null;
    }
}
