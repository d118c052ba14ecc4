package io.queen.pop;

import io.queen.message.PartitionName;
import io.queen.message.PopTarget;
import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What a batch of pops asks of the database. */
interface PopStatements {
    /** The ids of those partitions that exist. */
    Uni<Map<PartitionName, UUID>> find(Collection<PartitionName> partitions);

    /** The partition turned out to be gone: its id is asked for the next time. */
    void forget(PartitionName partition);

    /** The queues that the filter lets through, the more urgent first. */
    Uni<List<String>> queues(PopTarget.Filter filter);

    /**
     * Claims what can be claimed of the candidates and reads its messages. When it is done each candidate knows what became
     * of it, and each attempt has its messages.
     *
     * @param candidates those of one attempt side by side, in order of preference
     * @param again the batch was sent before and the connection died: leases it took then are its own
     * @param maxBytes about the most payload bytes of one attempt
     */
    Uni<Void> take(List<Candidate> candidates, boolean again, long maxBytes);
}
