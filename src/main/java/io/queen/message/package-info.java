/**
 * The vocabulary that all packages share: what a request, an answer and a failure consist of. No behaviour, and no
 * dependency on any other package.
 */
package io.queen.message;
