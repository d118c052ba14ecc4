package io.queen.admin;

import io.quarkus.arc.DefaultBean;
import io.queen.message.BufferFigures;
import io.queen.message.BufferReport;
import jakarta.inject.Singleton;

/** The report of a server without a buffer: nothing waits outside of the database. Another report takes its place. */
@DefaultBean
@Singleton
final class NoBuffer implements BufferReport {
    @Override
    public BufferFigures figures() {
        return BufferFigures.EMPTY;
    }
}
