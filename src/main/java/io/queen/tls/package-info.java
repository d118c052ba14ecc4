/** Certificates and keys in files: checked at the start, shown to clients, replaced while the server runs. */
package io.queen.tls;
