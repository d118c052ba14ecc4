/**
 * The HTTP side: resources that parse a request, hand it over and map the outcome, and the one error body for whatever
 * goes wrong. A resource holds no rule about queues; those are with the packages it hands over to.
 */
package io.queen.web;
