package io.queen.history;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Signals, as an operator or the kernel would send them. */
final class Processes {
    private Processes() {}

    static void signal(String signal, List<Long> pids) {
        if (pids.isEmpty()) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
        pids.forEach(pid -> command.add(Long.toString(pid)));
        try {
            // Some may have ended by themselves meanwhile; that is no failure.
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The process and all that it started, itself first. */
    static List<Long> family(long pid) {
        List<Long> family = new ArrayList<>(List.of(pid));
        ProcessHandle.of(pid)
                .ifPresent(
                        parent -> parent.descendants().map(ProcessHandle::pid).forEach(family::add));
        return family;
    }

    static boolean anyAlive(List<Long> pids) {
        return pids.stream()
                .anyMatch(pid ->
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent());
    }
}
