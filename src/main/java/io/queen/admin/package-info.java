/**
 * Everything that is not a message on its way: configuring and deleting queues, consumer groups, traces, maintenance,
 * whether the server is ready to serve. It uses the general pool, so that a slow query here never delays a message.
 */
package io.queen.admin;
