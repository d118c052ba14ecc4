/**
 * Hostile requests to every route. {@link io.queen.fuzz.Operations} reads what there is from the OpenAPI document, {@link
 * io.queen.fuzz.Sample} makes a valid request of it, {@link io.queen.fuzz.Mutation} spoils one thing, {@link
 * io.queen.fuzz.Wire} sends it as bytes and {@link io.queen.fuzz.Verdict} judges the answer: no failure of the server, no hang, no
 * word of the program's inside. One seed gives the same requests again: {@code -Dfuzz.seed=… -Dfuzz.requests=…}.
 */
package io.queen.fuzz;
