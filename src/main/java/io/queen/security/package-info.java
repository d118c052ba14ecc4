/**
 * Tokens, and what they allow. {@link io.queen.security.TokenGate} stands in front of every request; {@link
 * io.queen.security.AccessTable} says what each route needs; {@link io.queen.security.Caller} is what a resource sees of the
 * token.
 *
 * <pre>
 *   TokenGate           which level does the path need, which has the token?
 *     CheckedTokens     a token that was found valid before: no more to do
 *     Tokens            another one goes to a worker thread
 *       TokenCheck      signature and claims, by jose4j
 *         KeyRing       the keys of the configuration (KeySettings) and of the key server (Keys, KeyServer)
 *         CallerReader  subject, roles, and Rights: the queues that it is for
 *   ResourceCheck       does it have what the resource needs that was found, on the queue that the path names?
 *   PartitionRights     the same for partitions that are named by their ids
 *   MeResource          who the caller is
 *   TokenCommand        queen token, which makes tokens (SigningKey)
 * </pre>
 */
package io.queen.security;
