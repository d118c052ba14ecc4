package io.queen.ack;

import io.queen.message.Ack;
import io.queen.message.AckResult;
import io.queen.message.Claim;
import io.queen.message.PartitionName;
import io.queen.message.Renewal;
import io.queen.message.RenewalResult;
import io.queen.metrics.Complaints;
import io.queen.metrics.MessageCounting;
import io.queen.pop.ready.PartitionNews;
import io.queen.sidecar.Sidecar;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Acknowledges messages, keeps leases and gives them back, through the sidecar of the event loop that calls. */
@Singleton
public final class Acks {
    private final Sidecar sidecar;
    private final AckOperation acks;
    private final RenewOperation renewals;
    private final ReleaseOperation releases;
    private final PartitionNews news;
    private final MessageCounting counting;
    private final Complaints complaints;

    Acks(
            Sidecar sidecar,
            AckOperation acks,
            RenewOperation renewals,
            ReleaseOperation releases,
            PartitionNews news,
            MessageCounting counting,
            Complaints complaints) {
        this.sidecar = sidecar;
        this.acks = acks;
        this.renewals = renewals;
        this.releases = releases;
        this.news = news;
        this.counting = counting;
        this.complaints = complaints;
    }

    /** Applies the acks; one result per ack, in order. */
    public Uni<List<AckResult>> ack(List<Ack> list) {
        return sidecar.submit(acks, list).invoke(results -> {
            announce(list, results);
            counting.acked(results);
        });
    }

    public Uni<RenewalResult> renew(Renewal renewal) {
        return sidecar.submit(renewals, renewal);
    }

    /** Gives back what was claimed for a client that has left; should that fail, the leases stay until they expire. */
    public void release(List<Claim> claims) {
        List<Claim> leased =
                claims.stream().filter(claim -> claim.leaseId() != null).toList();
        if (!leased.isEmpty()) {
            sidecar.submit(releases, leased)
                    .subscribe()
                    .with(
                            done -> leased.forEach(this::released),
                            failure ->
                                    complaints.failed("Leases of clients that left stay until they expire", failure));
        }
    }

    private void released(Claim claim) {
        PartitionName partition = new PartitionName(claim.queue(), claim.partition());
        news.leaseEnded(partition, claim.partitionId(), claim.consumerGroup(), claim.leaseId(), true);
    }

    /** What acks of one partition and group are told by: those with the same outcome are one piece of news. */
    private record Ended(UUID partitionId, String group, AckResult result) {}

    /** One piece of news for each partition and group, however many acks it got. */
    private void announce(List<Ack> list, List<AckResult> results) {
        Set<Ended> told = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            if (told.add(new Ended(list.get(i).partitionId(), list.get(i).consumerGroup(), results.get(i)))) {
                announce(list.get(i), results.get(i));
            }
        }
    }

    /** Tells that the ack has ended the lease, if it did. */
    public void announce(Ack ack, AckResult result) {
        if (result.leaseReleased() && result.queue() != null) {
            PartitionName partition = new PartitionName(result.queue(), result.partition());
            news.leaseEnded(partition, ack.partitionId(), ack.consumerGroup(), ack.leaseId(), result.pending());
        }
    }
}
