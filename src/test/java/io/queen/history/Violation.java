package io.queen.history;

/** A broken promise: the number it has in the design, what happened, and what shows it. */
record Violation(int invariant, String name, String evidence) {
    @Override
    public String toString() {
        return invariant + " " + name + ": " + evidence;
    }
}
