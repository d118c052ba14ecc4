/** Everything about the server that is not a message on its way: for now, whether it is ready to serve. */
package io.queen.admin;
