package io.queen.history;

import io.queen.testing.Sql;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the database holds at the end.
 *
 * @param lanes the messages of each partition in the order of their sequence
 * @param cursors by partition and group, as a place among the messages: 1 is the first
 * @param dead the dead letters
 * @param waiting by partition and group, how many messages were given back and are not done
 * @param states by partition, the counts that a stream has in its state
 */
record Tables(
        Map<String, List<Stored>> lanes,
        Map<Consumer, Integer> cursors,
        Set<Dead> dead,
        Map<Consumer, Integer> waiting,
        Map<String, Map<String, Long>> states) {

    record Stored(long seq, String transactionId, String messageId, String payload) {}

    /** A group on a partition. */
    record Consumer(String lane, String group) {}

    record Dead(String lane, String group, String transactionId) {}

    private static final String LANE =
            " join queen.partitions p on p.id = x.partition_id join queen.queues q" + " on q.id = p.queue_id";

    static Tables read(Sql sql) {
        Map<String, List<Stored>> lanes = new HashMap<>();
        for (Map<String, Object> row : sql.rows("select q.name || '/' || p.name as lane, x.seq, x.transaction_id,"
                + " x.id::text as id, x.payload from queen.messages x" + LANE + " order by p.id, x.seq")) {
            lanes.computeIfAbsent((String) row.get("lane"), lane -> new ArrayList<>())
                    .add(new Stored(
                            (long) row.get("seq"), (String) row.get("transaction_id"), (String) row.get("id"), (String)
                                    row.get("payload")));
        }
        Map<Consumer, Integer> cursors = new HashMap<>();
        for (Map<String, Object> row : sql.rows("select q.name || '/' || p.name as lane, x.consumer_group,"
                + " (select count(*) from queen.messages m where m.partition_id = p.id and m.seq <= x.cursor) as place"
                + " from queen.partition_consumers x" + LANE)) {
            cursors.put(
                    new Consumer((String) row.get("lane"), (String) row.get("consumer_group")),
                    ((Long) row.get("place")).intValue());
        }
        Set<Dead> dead = new HashSet<>();
        for (Map<String, Object> row : sql.rows("select q.name || '/' || p.name as lane, x.consumer_group,"
                + " x.transaction_id from queen.dead_letters x" + LANE)) {
            dead.add(new Dead(
                    (String) row.get("lane"), (String) row.get("consumer_group"), (String) row.get("transaction_id")));
        }
        Map<Consumer, Integer> waiting = new HashMap<>();
        for (Map<String, Object> row : sql.rows(
                "select q.name || '/' || p.name as lane, x.consumer_group" + " from queen.redriven x" + LANE)) {
            waiting.merge(new Consumer((String) row.get("lane"), (String) row.get("consumer_group")), 1, Integer::sum);
        }
        return new Tables(lanes, cursors, dead, waiting, states(sql));
    }

    private static Map<String, Map<String, Long>> states(Sql sql) {
        Map<String, Map<String, Long>> states = new HashMap<>();
        for (Map<String, Object> row : sql.rows("select q.name || '/' || p.name as lane, x.key, x.value"
                + " from queen.stream_state x join queen.stream_queries s on s.state_id = x.state_id" + LANE)) {
            states.computeIfAbsent((String) row.get("lane"), lane -> new HashMap<>())
                    .put((String) row.get("key"), Counting.count((String) row.get("value")));
        }
        return states;
    }

    List<Stored> lane(String lane) {
        return lanes.getOrDefault(lane, List.of());
    }

    /** The places of the messages of a partition, the first has 1. */
    Map<String, Integer> places(String lane) {
        Map<String, Integer> places = new HashMap<>();
        for (Stored stored : lane(lane)) {
            places.putIfAbsent(stored.transactionId(), places.size() + 1);
        }
        return places;
    }

    int messages() {
        return lanes.values().stream().mapToInt(List::size).sum();
    }
}
