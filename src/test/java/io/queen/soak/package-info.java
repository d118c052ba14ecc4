/**
 * A mixed load on one small server for as long as it takes to see whether anything grows without end: every operation at
 * once, queues and groups that come and go, retention with small values. {@code SoakProcessTest} runs it for seconds in every
 * build, which shows that all of it works side by side; {@code mvn verify -Psoak} for fifteen minutes, which shows that
 * memory, descriptors, dead rows and table sizes level off.
 */
package io.queen.soak;
