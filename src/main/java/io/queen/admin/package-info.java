/**
 * Everything that is not a message on its way: configuring, inspecting, clearing and deleting queues, single messages and
 * dead letters, consumer groups, traces, maintenance, whether the server is ready to serve. It uses the general pool, so
 * that a slow query here never delays a message.
 */
package io.queen.admin;
