package io.queen.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Text in columns: the first to the left, the others to the right; a column that says nothing is left out. */
final class Table<T> {
    private final List<T> rows;
    /** Each as its title and then a cell per row. */
    private final List<List<String>> columns = new ArrayList<>();

    Table(List<T> rows) {
        this.rows = rows;
    }

    /** A cell is empty for what is not known. */
    Table<T> column(String title, Function<T, String> cell) {
        List<String> cells = rows.stream().map(cell).toList();
        if (cells.stream().anyMatch(text -> !text.isEmpty())) {
            columns.add(Stream.concat(Stream.of(title), cells.stream()).toList());
        }
        return this;
    }

    @Override
    public String toString() {
        return IntStream.rangeClosed(0, rows.size()).mapToObj(this::line).collect(Collectors.joining("\n"));
    }

    private String line(int row) {
        return columns.stream()
                .map(column -> cell(column.get(row), width(column), column == columns.get(0)))
                .collect(Collectors.joining("  "))
                .stripTrailing();
    }

    private static int width(List<String> column) {
        return column.stream().mapToInt(String::length).max().orElse(0);
    }

    private static String cell(String text, int width, boolean left) {
        String space = " ".repeat(width - text.length());
        return left ? text + space : space + text;
    }
}
