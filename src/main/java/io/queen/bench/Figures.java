package io.queen.bench;

import io.queen.database.DatabaseFigures;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * What a server and its PostgreSQL have used so far, or between two moments. Null means not known.
 *
 * @param lists by operation, of a server that tells how requests became lists
 * @param clientCpuMicros of the generator itself
 */
record Figures(
        Long serverCpuMicros,
        Long residentBytes,
        Map<String, Lists> lists,
        Long postgresCpuMicros,
        Long statements,
        Long transactions,
        Long walBytes,
        long clientCpuMicros) {

    /** Requests, and the lists that they became. */
    record Lists(long requests, long count) {}

    static Figures of(ServerFigures server, DatabaseFigures.Reading database, long clientCpuMicros) {
        return new Figures(
                server.cpuMicros(),
                server.residentBytes(),
                server.lists(),
                database.cpuMicros(),
                database.statements(),
                database.transactions(),
                database.walBytes(),
                clientCpuMicros);
    }

    /** Memory is not used up: it is what it is now. */
    Figures since(Figures before) {
        return combined(before, (now, then) -> now - then, (now, then) -> now);
    }

    /** Several rounds; of memory the most. */
    static Figures sum(List<Figures> rounds) {
        return rounds.stream()
                .reduce((all, one) -> all.combined(one, Long::sum, Long::max))
                .orElseThrow();
    }

    private Figures combined(Figures other, BinaryOperator<Long> sum, BinaryOperator<Long> memory) {
        return new Figures(
                both(other, Figures::serverCpuMicros, sum),
                both(other, Figures::residentBytes, memory),
                lists(other, sum),
                both(other, Figures::postgresCpuMicros, sum),
                both(other, Figures::statements, sum),
                both(other, Figures::transactions, sum),
                both(other, Figures::walBytes, sum),
                sum.apply(clientCpuMicros, other.clientCpuMicros));
    }

    private Long both(Figures other, Function<Figures, Long> figure, BinaryOperator<Long> operator) {
        Long mine = figure.apply(this);
        Long others = figure.apply(other);
        return mine == null || others == null ? null : operator.apply(mine, others);
    }

    private Map<String, Lists> lists(Figures other, BinaryOperator<Long> sum) {
        Map<String, Lists> result = new TreeMap<>();
        lists.forEach((operation, mine) -> {
            Lists others = other.lists.getOrDefault(operation, new Lists(0, 0));
            result.put(
                    operation,
                    new Lists(sum.apply(mine.requests, others.requests), sum.apply(mine.count, others.count)));
        });
        return result;
    }
}
