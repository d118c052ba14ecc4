package io.queen.sidecar;

import java.util.ArrayList;
import java.util.List;

/** Cuts what has gathered into lists that respect the limits of one call. Order is kept. */
record BatchCutter(int maxItems, long maxBytes) {

    /** Lists of at most so many items and bytes; a request that is larger alone is a list of its own. */
    <Q, A> List<List<QueuedRequest<Q, A>>> cut(List<QueuedRequest<Q, A>> gathered) {
        List<List<QueuedRequest<Q, A>>> lists = new ArrayList<>();
        int start = 0;
        long items = 0;
        long bytes = 0;
        for (int i = 0; i < gathered.size(); i++) {
            QueuedRequest<Q, A> next = gathered.get(i);
            if (i > start && (items + next.items() > maxItems || bytes + next.bytes() > maxBytes)) {
                lists.add(gathered.subList(start, i));
                start = i;
                items = 0;
                bytes = 0;
            }
            items += next.items();
            bytes += next.bytes();
        }
        if (start < gathered.size()) {
            lists.add(gathered.subList(start, gathered.size()));
        }
        return lists;
    }
}
