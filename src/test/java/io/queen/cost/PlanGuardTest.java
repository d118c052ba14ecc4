package io.queen.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.queen.embedded.TestPostgres;
import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Sql;
import io.vertx.core.json.JsonArray;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Reads the plan of every statement that messages take, as PostgreSQL logs it. A function that switches a kind of plan off
 * must not leave a statement with nothing else: such a node counts as a cost of 10¹⁰, and on a PostgreSQL with JIT, which
 * is every packaged one, a plan of that cost is compiled at each call, 18 ms for a table of one row.
 */
@AlsoOnInstalledPostgres
@QuarkusTest
@TestProfile(PlanGuardTest.Logged.class)
class PlanGuardTest {
    private static final Pattern DISABLED = Pattern.compile("cost=\\d{10,}\\.|Disabled: true");
    private static final Pattern COMPILED = Pattern.compile("\\bJIT:");

    /** A database whose plans are in the log. */
    public static final class Logged implements QuarkusTestProfile {
        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(PlanDatabase.class));
        }
    }

    @TestHTTPResource
    URI server;

    @Test
    void messages_everyStatement_usesNoNodeThatIsSwitchedOff() throws Exception {
        String before = TestPostgres.log();
        exchange();
        List<String> plans = plans(TestPostgres.log().substring(before.length()));
        for (String function : List.of(
                "push_list_v1",
                "pop_sm_take",
                "changes_since_v1",
                "ack_list_v1",
                "transaction_list",
                "cycle_list_v1",
                "stream_state_v1")) {
            assertThat(plans).as("plans of %s", function).anyMatch(plan -> plan.contains("queen." + function));
        }
        for (String inner : List.of(
                "push_log_life",
                "queen.clear_marks m",
                "for update skip locked",
                "met_queues",
                "queen.stream_partitions s",
                "update queen.stream_state",
                "insert into queen.stream_state")) {
            assertThat(plans).as("plans inside of functions").anyMatch(plan -> plan.contains(inner));
        }
        assertThat(plans).noneMatch(plan -> DISABLED.matcher(plan).find());
        assertThat(plans).noneMatch(plan -> COMPILED.matcher(plan).find());
    }

    /** What decides on a plan has a plan that does not depend on how much is there: nothing of it is worth compiling. */
    @Test
    void functions_thatSetThePlanner_compileNothing() {
        try (Sql sql = Sql.openMigrated()) {
            assertThat(sql.rows("select p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace"
                            + " where n.nspname = 'queen' and p.proconfig::text ~ '(plan_cache_mode|enable_)'"
                            + " and not 'jit=off' = any (p.proconfig)"))
                    .isEmpty();
        }
    }

    private void exchange() throws Exception {
        CostClient one = new CostClient(server);
        one.push(1, 1);
        one.push(2 * CostClient.BATCH, 1);
        one.ack(one.pop(0, false));
        one.renew(one.pop(0, false));
        CostClient any = new CostClient(server);
        any.push(3 * CostClient.BATCH, 3);
        any.ack(any.pop(null, false));
        any.pop(null, true);
        any.transaction(any.pop(null, false));
        streams();
        any.popNothing("?consumerGroup=new&subscriptionMode=new");
        any.popNothing("?consumerGroup=new&subscriptionMode=new");
        any.popNothing("?consumerGroup=later&subscriptionFrom=2100-01-01&partitions=3");
    }

    /** Cycles that make state, change it and read it. */
    private void streams() throws Exception {
        CostClient stream = new CostClient(server);
        String query = stream.register();
        stream.push(2 * CostClient.BATCH, 1);
        stream.cycle(query, stream.pop(0, false), 2, 2);
        JsonArray more = stream.pop(0, false);
        stream.state(query, more);
        stream.cycle(query, more, 2, 2);
    }

    private static List<String> plans(String log) {
        return Stream.of(log.split("(?=LOG: {2}duration: )", -1))
                .filter(entry -> entry.contains("plan:"))
                .toList();
    }
}
