package io.queen.history;

import io.queen.testing.HeldStart;
import io.queen.testing.Sql;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What can happen to an installation. Each breaks something and puts it right again. */
enum Faults {
    SERVER_KILLED(false) {
        @Override
        void strike(Installation on, Random random) {
            int server = random.nextInt(Installation.SERVERS);
            on.server(server).kill();
            on.start(server);
        }
    },
    SERVER_TERMINATED(false) {
        @Override
        void strike(Installation on, Random random) {
            int server = random.nextInt(Installation.SERVERS);
            on.server(server).terminate();
            on.start(server);
        }
    },
    SERVER_PAUSED(false) {
        @Override
        void strike(Installation on, Random random) {
            int server = random.nextInt(Installation.SERVERS);
            on.pause(server);
            pass(500 + random.nextInt(1500));
            on.resume(server);
        }
    },
    POSTGRES_STOPPED(true) {
        @Override
        void strike(Installation on, Random random) {
            on.postgres().stopImmediately();
            pass(random.nextInt(1000));
            on.postgres().startAgain();
        }
    },
    POSTGRES_KILLED(true) {
        @Override
        void strike(Installation on, Random random) {
            on.postgres().kill();
            pass(random.nextInt(1000));
            on.postgres().startAgain();
        }
    },
    BOTH_KILLED(true) {
        @Override
        void strike(Installation on, Random random) {
            int server = random.nextInt(Installation.SERVERS);
            on.postgres().kill();
            on.server(server).kill();
            on.postgres().startAgain();
            on.start(server);
        }
    },
    POSTGRES_FROZEN(false) {
        @Override
        void strike(Installation on, Random random) {
            List<Long> frozen = on.postgres().freeze();
            pass(500 + random.nextInt(3500));
            on.postgres().thaw(frozen);
        }
    },
    BACKENDS_TERMINATED(false) {
        @Override
        void strike(Installation on, Random random) {
            try (Sql sql = on.postgres().connect()) {
                sql.run("select pg_terminate_backend(pid)" + BACKENDS);
            }
        }
    },
    BACKENDS_ONE_BY_ONE(false) {
        @Override
        void strike(Installation on, Random random) {
            try (Sql sql = on.postgres().connect()) {
                for (Map<String, Object> backend : sql.rows("select pid" + BACKENDS)) {
                    sql.run("select pg_terminate_backend(?)", backend.get("pid"));
                    pass(random.nextInt(100));
                }
            }
        }
    },
    /** A failover, and another, while a server starts. */
    DATABASE_LOST_AT_START(false) {
        @Override
        void strike(Installation on, Random random) {
            int server = random.nextInt(Installation.SERVERS);
            on.server(server).kill();
            try (HeldStart start = new HeldStart(on.postgres()::connect)) {
                on.launch(server);
                start.cut();
                start.cut();
            }
            on.server(server).awaitReady();
        }
    },
    /** Pushes are held back in the file buffer of each server, and a server may die meanwhile. */
    MAINTENANCE(false) {
        @Override
        void strike(Installation on, Random random) {
            Maintenance.push(on, true);
            pass(500 + random.nextInt(1500));
            if (random.nextBoolean()) {
                SERVER_KILLED.strike(on, random);
            }
            Maintenance.push(on, false);
        }
    },
    /** A transaction outside holds partitions, or what groups have of them, for longer than a list waits for a lock. */
    PARTITIONS_HELD(false) {
        @Override
        void strike(Installation on, Random random) {
            try (Sql sql = on.postgres().connect()) {
                sql.begin();
                sql.run("select set_config('lock_timeout', '10s', true)");
                for (Map<String, Object> chosen : sql.rows(SOME_PARTITIONS)) {
                    sql.run("select from queen.partitions where id = ? for no key update", chosen.get("id"));
                }
                for (Map<String, Object> chosen : sql.rows(SOME_PARTITIONS)) {
                    sql.run(
                            "select from queen.partition_consumers where partition_id = ?"
                                    + " order by consumer_group for update",
                            chosen.get("id"));
                }
                pass(1500 + random.nextInt(2500));
                sql.commit();
            }
        }
    },
    /** Connections that send bodies in part, byte by byte, or without end, beside the load on the same server. */
    HOSTILE_BODIES(false) {
        @Override
        void strike(Installation on, Random random) {
            HostileBodies.against(
                    on.uri(random.nextInt(Installation.SERVERS), "/").getPort());
        }
    };

    private static final String SOME_PARTITIONS =
            "select id from (select id from queen.partitions order by random() limit 3) p order by id";

    private static final String BACKENDS = " from pg_stat_activity where pid <> pg_backend_pid()"
            + " and datname = current_database() and backend_type = 'client backend'";

    private final boolean losesLeases;

    Faults(boolean losesLeases) {
        this.losesLeases = losesLeases;
    }

    abstract void strike(Installation on, Random random);

    /** A lease is committed without waiting for the disk: a crash of PostgreSQL may end it. */
    boolean losesLeases() {
        return losesLeases;
    }

    /** Something stays broken for that long. */
    static void pass(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
