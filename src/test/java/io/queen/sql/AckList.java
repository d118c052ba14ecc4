package io.queen.sql;

import io.queen.testing.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A list of acks for {@code ack_list_v1}, as tests write it. */
public final class AckList {
    private final Sql sql;
    private final List<String> values = new ArrayList<>();

    public AckList(Sql sql) {
        this.sql = sql;
    }

    public AckList ack(UUID partition, String group, UUID lease, String transactionId, String status) {
        values.add("('%s'::uuid, '%s', '%s', %s::uuid, '%s', 'told')"
                .formatted(partition, transactionId, group, lease == null ? "null" : "'" + lease + "'", status));
        return this;
    }

    /** Applies them; one row per ack. */
    public List<Map<String, Object>> apply() {
        return apply(false);
    }

    public List<Map<String, Object>> apply(boolean again) {
        return sql.rows("select r.* from (select array_agg(p) ps, array_agg(t) ts, array_agg(g) gs, array_agg(l) ls,"
                + " array_agg(s) ss, array_agg(e) es from (values " + String.join(",", values)
                + ") v (p, t, g, l, s, e)) a, queen.ack_list_v1(ps, ts, gs, ls, ss, es, " + again + ") r");
    }
}
