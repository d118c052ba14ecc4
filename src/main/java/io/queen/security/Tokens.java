package io.queen.security;

import io.queen.config.QueenConfig;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.metrics.Complaints;
import io.queen.runtime.PeriodicTasks;
import io.queen.security.TokenCheck.Checked;
import io.queen.security.TokenCheck.UnknownKeyException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jose4j.base64url.Base64Url;

/**
 * From a token to its caller. One that was checked before is remembered; another is checked by a few threads of its own,
 * so that tokens that have to be checked, good or bad, take no time from an event loop, and one core in four at most.
 */
final class Tokens {
    /** Most tokens that wait to be checked, or for the key server. */
    private static final int MAX_WAITING = 1000;
    /** Of a signature by Ed25519; what another algorithm does not take is refused a little earlier. */
    private static final int SIGNATURE_LENGTH = 86;

    private static final int OWN_SECONDS = 10;

    private final CheckedTokens checked;
    private final Keys keys;
    private final TokenCheck check;
    private final WorkerExecutor workers;
    private final Set<String> algorithms;
    private final AtomicInteger waiting = new AtomicInteger();

    Tokens(Vertx vertx, QueenConfig.Jwt config, long pauseMillis) {
        KeySettings settings = new KeySettings(config);
        this.checked = new CheckedTokens(config.maxRemembered(), System::currentTimeMillis);
        this.keys = new Keys(vertx, config, settings, pauseMillis, checked::forgetAllBut);
        this.algorithms = settings.algorithms();
        this.check = new TokenCheck(config, algorithms, keys::ring);
        this.workers = vertx.createSharedWorkerExecutor(
                "queen-tokens", Math.max(1, Runtime.getRuntime().availableProcessors() / 4));
    }

    /** Begins to fetch keys, and checks what is no token, so that the first that is one finds all code loaded. */
    void start(PeriodicTasks tasks, Complaints complaints) {
        keys.keepFresh(tasks, complaints);
        for (String algorithm : algorithms) {
            String head = Base64Url.encodeUtf8ByteRepresentation("{\"alg\":\"" + algorithm + "\"}");
            workers.executeBlocking(() -> check.check(head + ".e30." + "A".repeat(SIGNATURE_LENGTH)), false);
        }
    }

    /** A token that no caller can know, for requests of this server to itself in its first moments. */
    String ofThisServer() {
        String token = UUID.randomUUID().toString() + UUID.randomUUID();
        long until = System.currentTimeMillis() / 1000 + OWN_SECONDS;
        checked.remember(hash(token), new Checked(Caller.ANYONE, null, until));
        return token;
    }

    CheckedTokens.Hash hash(String token) {
        return checked.hash(token);
    }

    /** The caller of a token that was checked before, else null. */
    Caller remembered(CheckedTokens.Hash token) {
        return checked.find(token);
    }

    /** The caller of a token, or a {@link QueenException}; completes on any thread. */
    Future<Caller> check(String token, CheckedTokens.Hash hash) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return Future.failedFuture(
                    new QueenException(ErrorCode.OVERLOADED, "Too many tokens wait to be checked, try again soon"));
        }
        return attempt(token, hash)
                .recover(failure -> failure instanceof UnknownKeyException
                        ? withNewKeys(token, hash)
                        : Future.failedFuture(failure))
                .onComplete(done -> waiting.decrementAndGet());
    }

    private Future<Caller> withNewKeys(String token, CheckedTokens.Hash hash) {
        return keys.refresh()
                .recover(away -> Future.failedFuture(new QueenException(
                        ErrorCode.KEYS_UNAVAILABLE,
                        "The token's key is not known, and the key server can't be reached",
                        away)))
                .compose(fresh -> attempt(token, hash))
                .recover(failure -> Future.failedFuture(
                        failure instanceof UnknownKeyException
                                ? TokenCheck.invalid("The key that signed the token is not known")
                                : failure));
    }

    private Future<Caller> attempt(String token, CheckedTokens.Hash hash) {
        return workers.executeBlocking(() -> checkNow(token, hash), false);
    }

    private Caller checkNow(String token, CheckedTokens.Hash hash) throws UnknownKeyException {
        Checked result = check.check(token);
        checked.remember(hash, result);
        if (!keys.ring().has(result.key())) {
            checked.forget(hash); // the keys have changed meanwhile
        }
        return result.caller();
    }
}
