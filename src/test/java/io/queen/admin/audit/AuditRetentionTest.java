package io.queen.admin.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Sql;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class AuditRetentionTest {
    @AutoClose
    private final Sql sql = Sql.openMigrated();

    @Test
    void prune_oldActs_goInPortionsTheOldestFirst() {
        for (int days : new int[] {200, 150, 100, 80, 0}) {
            sql.run(
                    "insert into queen.audit (id, at, server_id, act, status, address)"
                            + " values (?, now() - make_interval(days => ?), 's', ?, 200, 'a')",
                    UUID.randomUUID(),
                    days,
                    "prune-" + days);
        }
        assertThat(sql.number("select queen.prune_audit_v1(90, 2)")).isEqualTo(2);
        assertThat(left()).isEqualTo("prune-0,prune-100,prune-80");
        assertThat(sql.number("select queen.prune_audit_v1(90, 2)")).isEqualTo(1);
        assertThat(sql.number("select queen.prune_audit_v1(90, 2)")).isZero();
        assertThat(left()).isEqualTo("prune-0,prune-80");
    }

    private String left() {
        return sql.text("select string_agg(act, ',' order by act) from queen.audit where act like 'prune-%'");
    }
}
