package io.queen.bench;

/** Something to be measured on one server, as often as asked. */
interface Scenario {
    /** One round: a warm-up, then the time that counts. */
    Round run() throws InterruptedException;
}
