/** What happens by itself, from time to time. */
package io.queen.schedule;
