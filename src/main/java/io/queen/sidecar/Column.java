package io.queen.sidecar;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/** An array among the arguments of a call: one element for each of a batch. */
public final class Column {
    private Column() {}

    /** What each has there; null, which travels as nothing, when none has anything. */
    public static <E, T> T[] of(List<E> list, Function<E, T> value, IntFunction<T[]> array) {
        T[] column = null;
        for (int i = 0; i < list.size(); i++) {
            T one = value.apply(list.get(i));
            if (one != null) {
                column = column == null ? array.apply(list.size()) : column;
                column[i] = one;
            }
        }
        return column;
    }
}
