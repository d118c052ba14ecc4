package io.queen.history;

import io.queen.Sql;
import java.util.List;

/** Ways to build Queen wrongly, installed into the database of a test: the checker has to find each of them. */
enum PlantedFault {
    /**
     * Messages are ordered by the time at which their push began, without a lock from there to the commit: the later of
     * two may be seen first, be consumed, and take the cursor past the earlier one.
     */
    ORDER_BY_TIME("1 Never delivered", "6 Skipped") {
        @Override
        void plant(Sql sql) {
            sql.run("""
                    create or replace function queen.push_advance_v1(
                        p_lane_id uuid[], p_lane_count integer[], out heads bigint[], out now timestamptz)
                    language plpgsql as $$
                    declare
                        v_seq bigint := (extract(epoch from clock_timestamp()) * 1000000)::bigint;
                    begin
                        now := clock_timestamp();
                        heads := array_fill(v_seq, array[cardinality(p_lane_id)]);
                        perform pg_sleep(random() * 0.02);
                        update queen.partitions p set head = greatest(p.head, v_seq + l.n), last_push_at = now
                        from unnest(p_lane_id, p_lane_count) l (id, n) where p.id = l.id and l.n > 0;
                        insert into queen.push_log (queue_id, partition_ids)
                        select p.queue_id, array_agg(p.id) from queen.partitions p
                        where p.id = any (p_lane_id) group by p.queue_id;
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

    /** A disk that says that it has written, and has not: with the power goes the last second. */
    LOST_FSYNC("1 Lost") {
        @Override
        boolean strikes() {
            return true;
        }

        @Override
        void strike(Installation on) {
            LostFsync.strike(on.postgres());
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

    /** Whether it comes in the middle of the load. */
    boolean strikes() {
        return false;
    }

    /** In the middle of the load. */
    void strike(Installation on) {}
}
