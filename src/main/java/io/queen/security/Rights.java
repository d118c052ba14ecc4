package io.queen.security;

import io.queen.web.FieldRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** On which queues a token may do what. */
final class Rights {
    static final Rights ALL = new Rights(QueuePatterns.ALL, QueuePatterns.ALL, QueuePatterns.ALL);
    static final Rights NONE = new Rights(QueuePatterns.NONE, QueuePatterns.NONE, QueuePatterns.NONE);

    private static final int MAX_PATTERN = 256;
    static final List<String> KEYS = List.of(Right.PRODUCE.text(), Right.CONSUME.text(), Right.MANAGE.text());

    private final Map<Right, QueuePatterns> patterns = new EnumMap<>(Right.class);

    private Rights(QueuePatterns produce, QueuePatterns consume, QueuePatterns manage) {
        patterns.put(Right.PRODUCE, produce);
        patterns.put(Right.CONSUME, consume);
        patterns.put(Right.MANAGE, manage);
        patterns.put(Right.READ, QueuePatterns.union(consume, manage));
        patterns.put(Right.SEE, QueuePatterns.union(produce, consume, manage));
    }

    /**
     * From a claim, which is there: {@code {"produce": PATTERNS, "consume": PATTERNS, "manage": PATTERNS}}, where a right that
     * is left out is given on no queue, or PATTERNS alone for all three. PATTERNS is a list of texts, or one text.
     *
     * @param name of the claim, for what is wrong with it
     */
    static Rights read(Object claim, String name) {
        if (!(claim instanceof Map<?, ?> map)) {
            QueuePatterns all = patterns(claim, name);
            return new Rights(all, all, all);
        }
        for (Object key : map.keySet()) {
            if (!KEYS.contains(key)) {
                throw malformed(name, "has something else than produce, consume and manage");
            }
        }
        return new Rights(of(map, Right.PRODUCE, name), of(map, Right.CONSUME, name), of(map, Right.MANAGE, name));
    }

    private static QueuePatterns of(Map<?, ?> map, Right right, String name) {
        return map.containsKey(right.text())
                ? patterns(map.get(right.text()), name + "." + right.text())
                : QueuePatterns.NONE;
    }

    private static QueuePatterns patterns(Object value, String name) {
        if (value instanceof String one) {
            return new QueuePatterns(List.of(checked(one, name)));
        }
        if (!(value instanceof Collection<?> list)) {
            throw malformed(name, "is not a list of names of queues");
        }
        List<String> texts = new ArrayList<>();
        for (Object each : list) {
            if (!(each instanceof String text)) {
                throw malformed(name, "has something that is not a text");
            }
            texts.add(checked(text, name));
        }
        return new QueuePatterns(texts);
    }

    private static String checked(String pattern, String name) {
        int star = pattern.indexOf('*');
        if (pattern.isEmpty() || pattern.length() > MAX_PATTERN || !FieldRules.canBeStored(pattern)) {
            throw malformed(name, "has something that is no name of a queue");
        }
        if (star >= 0 && star < pattern.length() - 1) {
            throw malformed(name, "has a star that is not at the end");
        }
        return pattern;
    }

    /** Never all queues by mistake: a claim that can't be read gives nothing. */
    private static RuntimeException malformed(String name, String what) {
        return TokenCheck.invalid("The claim " + name + " of the token " + what);
    }

    QueuePatterns of(Right right) {
        return patterns.get(right);
    }
}
