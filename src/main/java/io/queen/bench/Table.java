package io.queen.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Text in columns: the first to the left, the others to the right; a column that says nothing is left out. */
final class Table {
    private final List<String> titles;
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... titles) {
        this.titles = List.of(titles);
    }

    /** One cell per title, empty for what is not known. */
    void add(List<String> cells) {
        rows.add(cells);
    }

    @Override
    public String toString() {
        List<Integer> columns = IntStream.range(0, titles.size())
                .filter(column -> rows.stream().anyMatch(row -> !row.get(column).isEmpty()))
                .boxed()
                .toList();
        List<List<String>> all = new ArrayList<>(rows);
        all.add(0, titles);
        return all.stream().map(row -> line(all, columns, row)).collect(Collectors.joining("\n"));
    }

    private static String line(List<List<String>> all, List<Integer> columns, List<String> row) {
        return columns.stream()
                .map(column -> cell(row.get(column), width(all, column), column == 0))
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }

    private static int width(List<List<String>> all, int column) {
        return all.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static String cell(String text, int width, boolean left) {
        String space = " ".repeat(width - text.length());
        return left ? text + space : space + text;
    }
}
