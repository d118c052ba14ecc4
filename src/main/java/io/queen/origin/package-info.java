/** Which web pages may call the server from a browser: what it tells browsers (CORS), and what it refuses. */
package io.queen.origin;
