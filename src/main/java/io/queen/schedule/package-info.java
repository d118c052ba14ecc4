/**
 * Messages that are pushed at set times. {@code Timing} says when that is, {@code DueTimes} which of those times are due at a
 * moment, {@code Firing} looks for schedules that are due, and {@code FireOperation} fires one: what the row of the schedule
 * says and the messages change in one transaction, so that servers need not agree on who does it.
 */
package io.queen.schedule;
