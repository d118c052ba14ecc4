package io.queen.pop;

import io.queen.message.Claim;
import io.queen.message.PoppedMessage;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;

/** What a batch of pops tells the database of claims under which less is given out than was claimed. */
interface LeaseStatements {
    /** A lease under which less is given than was claimed: the messages up to {@code lastSeq}. */
    record Cut(Claim claim, long lastSeq) {}

    /** What was leased and not read is given back: leases that found nothing, and the ends of those that were cut off. */
    default Uni<Void> giveBackUnread(List<Candidate> tried) {
        List<Claim> unused = new ArrayList<>();
        List<Cut> cuts = new ArrayList<>();
        for (Candidate candidate : tried) {
            if (candidate.isCut() && candidate.lastRead() == 0) {
                unused.add(candidate.claim());
            } else if (candidate.isCut()) {
                cuts.add(new Cut(candidate.claim(), candidate.lastRead()));
            }
        }
        return unused.isEmpty() && cuts.isEmpty()
                ? Uni.createFrom().voidItem()
                : release(unused).flatMap(done -> shorten(cuts));
    }

    /** Gives claims back under which all messages had been removed, with the cursor behind them. */
    Uni<Void> release(List<Claim> claims);

    Uni<Void> shorten(List<Cut> cuts);

    /** Ends leases after so many seconds; until then no pop tries these partitions again. */
    Uni<Void> rest(List<Claim> claims, int seconds);

    /** Makes messages that their group has passed its dead letters, each with its error. */
    Uni<Void> deadLetter(List<PoppedMessage> messages, List<String> errors);
}
