package io.queen.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.netty.util.concurrent.FastThreadLocal;
import io.queen.security.TokenCheck.Checked;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.function.LongSupplier;

/**
 * Remembers tokens that were found valid, so that a signature is computed once and not with every request. A token is
 * known by its SHA-256: no token lies in memory, and how long a look-up takes tells nothing about one. Tokens that were
 * refused are not remembered, so a flood of them pushes no good one out. For all event loops.
 */
final class CheckedTokens {
    private final FastThreadLocal<MessageDigest> digests = new FastThreadLocal<>() {
        @Override
        protected MessageDigest initialValue() throws NoSuchAlgorithmException {
            return MessageDigest.getInstance("SHA-256");
        }
    };
    private final Cache<Hash, Checked> checked;
    private final LongSupplier clockMillis;

    /** The digest of a token. */
    record Hash(long first, long second, long third, long fourth) {}

    CheckedTokens(int max, LongSupplier clockMillis) {
        this.checked = Caffeine.newBuilder().maximumSize(max).build();
        this.clockMillis = clockMillis;
    }

    Hash hash(String token) {
        ByteBuffer bytes = ByteBuffer.wrap(digests.get().digest(token.getBytes(StandardCharsets.UTF_8)));
        return new Hash(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    }

    /** The caller of the token, null when it is not known as valid now. */
    Caller find(Hash token) {
        Checked found = checked.getIfPresent(token);
        if (found == null) {
            return null;
        }
        if (found.untilSecond() * 1000 > clockMillis.getAsLong()) {
            return found.caller();
        }
        checked.invalidate(token);
        return null;
    }

    void remember(Hash token, Checked result) {
        checked.put(token, result);
    }

    void forget(Hash token) {
        checked.invalidate(token);
    }

    /** Those whose key is not among the keys any more. */
    void forgetAllBut(KeyRing keys) {
        checked.asMap().values().removeIf(result -> result.key() == null || !keys.has(result.key()));
    }

    /** How many there are, about. */
    long size() {
        checked.cleanUp();
        return checked.estimatedSize();
    }
}
