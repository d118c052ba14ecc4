package io.queen.history;

import io.queen.testing.Sql;
import java.util.List;
import java.util.Optional;

/** Ways to build Queen wrongly, installed into the database of a test: the checker has to find each of them. */
enum PlantedFault {
    /**
     * The order of messages is settled when their push begins, as by a clock, without a lock from there to the commit: the
     * later of two may be seen first, be consumed, and take the cursor past the earlier one.
     */
    ORDER_BY_TIME("1 Never delivered", "6 Skipped") {
        @Override
        void plant(Sql sql) {
            for (int clock = 0; clock < 64; clock++) {
                sql.run("create sequence queen.planted_" + clock);
            }
            sql.run("""
                    create or replace function queen.push_advance_v1(
                        p_partition_id uuid[], p_count integer[], p_delayed timestamptz[], out heads bigint[], out now timestamptz)
                    language plpgsql as $$
                    declare
                        v_clock text;
                        v_last  bigint;
                    begin
                        now := clock_timestamp();
                        perform pg_advisory_lock(1);
                        for i in 1 .. cardinality(p_partition_id) loop
                            v_clock := 'queen.planted_' || (hashtext(p_partition_id[i]::text) & 63);
                            select max(nextval(v_clock)) into v_last from generate_series(1, p_count[i]);
                            heads[i] := coalesce(v_last - p_count[i], 0);
                        end loop;
                        perform pg_advisory_unlock(1);
                        perform pg_sleep(case when random() < 0.3 then 0.1 else 0 end);
                        update queen.partitions p set head = greatest(p.head, l.head + l.n), last_push_at = now
                        from unnest(p_partition_id, p_count, heads) l (id, n, head) where p.id = l.id and l.n > 0;
                        insert into queen.push_log (queue_id, partition_ids)
                        select p.queue_id, array_agg(p.id) from queen.partitions p
                        where p.id = any (p_partition_id) group by p.queue_id;
                    end
                    $$""");
        }
    },

    /** An ack that comes late sets the cursor to its message, wherever the cursor was. */
    CURSOR_MOVES_BACK("4 Delivered again", "4 Moved back") {
        @Override
        void plant(Sql sql) {
            sql.run("""
                    create function queen.planted() returns trigger language plpgsql as $$
                    begin
                        if new.cursor > old.cursor and random() < 0.02 then
                            new.cursor := greatest(old.cursor - 3, 0);
                        end if;
                        return new;
                    end
                    $$""");
            sql.run("create trigger planted before update on queen.partition_consumers"
                    + " for each row execute function queen.planted()");
        }
    },

    /** A second consumer gets the lease although the first one holds it. */
    LEASE_IGNORED("3 Two leases") {
        @Override
        void plant(Sql sql) {
            sql.run("""
                    create function queen.planted() returns trigger language plpgsql as $$
                    begin
                        if new.lease_expires_at is not null and random() < 0.1 then
                            new.lease_expires_at := clock_timestamp();
                        end if;
                        return new;
                    end
                    $$""");
            sql.run("create trigger planted before update on queen.partition_consumers"
                    + " for each row execute function queen.planted()");
        }
    },

    /** A transaction whose acks are kept while its messages are not. */
    HALF_A_TRANSACTION("7 Moved 0 times", "1 Lost", "7 Half a transaction") {
        @Override
        void plant(Sql sql) {
            sql.run("""
                    create function queen.planted() returns trigger language plpgsql as $$
                    begin
                        return case when random() < 0.05 and new.transaction_id like 'm%' then null else new end;
                    end
                    $$""");
            sql.run("create trigger planted before insert on queen.messages"
                    + " for each row execute function queen.planted()");
        }
    },

    /** The state of a cycle is kept although the cycle is refused: as if it were written outside of its transaction. */
    STATE_OUTSIDE_THE_CYCLE("7 Counted twice", "7 State and sink differ") {
        @Override
        void plant(Sql sql) {
            String looks =
                    "replace(pg_get_functiondef('queen.cycle_list_v1'::regproc), 'if v_count > 1 then', 'if true then')";
            String writes = "regexp_replace(" + looks + ", '(errors, null\\)\\) > 0 then)(\\s+return;)',"
                    + " '\\1 perform queen.write_state_v1(v_rows, v_states, p_source_id, p_consumer_group, p_cycle_id,"
                    + " p_op_cycle, p_op_key, p_op_value, p_op_window_end);\\2')";
            sql.run(sql.text("select " + writes));
        }
    },

    /** A disk that says that it has written, and has not: with the power goes the last second. */
    LOST_FSYNC("1 Lost") {
        @Override
        Optional<Faults> looksLike() {
            return Optional.of(Faults.POSTGRES_KILLED);
        }

        @Override
        void strike(Installation on) {
            LostFsync.strike(on.postgres());
        }
    },

    /** The same disk under the file buffer of a server. */
    LOST_FSYNC_OF_BUFFER("9 Lost") {
        @Override
        Optional<Faults> looksLike() {
            return Optional.of(Faults.MAINTENANCE);
        }

        @Override
        void strike(Installation on) {
            LostBuffer.strike(on);
        }
    };

    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> evidence;

    PlantedFault(String... evidence) {
        this.evidence = List.of(evidence);
    }

    /** One of these must be found. */
    List<String> evidence() {
        return evidence;
    }

    /** Before the load. */
    void plant(Sql sql) {}

    /** What it is to the clients when it comes in the middle of the load; empty when it is there from the beginning. */
    Optional<Faults> looksLike() {
        return Optional.empty();
    }

    /** In the middle of the load. */
    void strike(Installation on) {}
}
