package io.queen.security;

import io.queen.config.QueenConfig;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import java.security.Key;
import java.util.Set;
import java.util.function.Supplier;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.ErrorCodes;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.jwt.consumer.JwtContext;
import org.jose4j.lang.UnresolvableKeyException;

/** Checks a token, by jose4j: its signature, then its claims. It computes for as long as a signature takes. */
final class TokenCheck {
    /** A token that says no end is checked again after so long, because its key may have gone. */
    private static final long MAX_SECONDS = 300;

    private final Set<String> algorithms;
    private final Supplier<KeyRing> keys;
    private final CallerReader reader;
    private final JwtConsumer consumer;
    private final int skew;

    /** What a check found. It holds until the second, and as long as its key is a key of the server. */
    record Checked(Caller caller, Key key, long untilSecond) {}

    /** The key of the token is not known; perhaps the key server has it. */
    static final class UnknownKeyException extends UnresolvableKeyException {
        UnknownKeyException() {
            super("unknown key");
        }
    }

    TokenCheck(QueenConfig.Jwt config, Set<String> algorithms, Supplier<KeyRing> keys) {
        this.algorithms = algorithms;
        this.keys = keys;
        this.reader = new CallerReader(config);
        this.skew = config.clockSkew();
        JwtConsumerBuilder rules = new JwtConsumerBuilder()
                .setJwsAlgorithmConstraints(ConstraintType.PERMIT, algorithms.toArray(String[]::new))
                .setJweAlgorithmConstraints(ConstraintType.PERMIT)
                .setVerificationKeyResolver((signature, nesting) -> key(signature))
                .setAllowedClockSkewInSeconds(skew)
                .setIssuedAtRestrictions(0, Integer.MAX_VALUE);
        config.issuer().ifPresent(rules::setExpectedIssuer);
        config.audience().ifPresentOrElse(rules::setExpectedAudience, rules::setSkipDefaultAudienceValidation);
        this.consumer = rules.build();
    }

    private Key key(JsonWebSignature signature) throws UnresolvableKeyException {
        String algorithm = signature.getAlgorithmHeaderValue();
        if (algorithm == null || !algorithms.contains(algorithm)) {
            throw new UnresolvableKeyException("algorithm");
        }
        Key key = keys.get().find(algorithm, signature.getKeyIdHeaderValue());
        if (key == null) {
            throw new UnknownKeyException();
        }
        return key;
    }

    /** Throws {@link UnknownKeyException}, or a {@link QueenException} that says what is wrong. */
    Checked check(String token) throws UnknownKeyException {
        try {
            JwtContext context = consumer.process(token);
            NumericDate end = context.getJwtClaims().getExpirationTime();
            long now = NumericDate.now().getValue();
            long until = end == null ? now + MAX_SECONDS : Math.min(end.getValue(), Integer.MAX_VALUE * 1000L) + skew;
            return new Checked(
                    reader.read(context.getJwtClaims()),
                    context.getJoseObjects().get(0).getKey(),
                    until);
        } catch (InvalidJwtException e) {
            if (e.getCause() instanceof UnknownKeyException unknown) {
                throw unknown;
            }
            throw invalid(reason(e));
        } catch (MalformedClaimException e) {
            throw invalid("A claim of the token has the wrong type");
        }
    }

    static QueenException invalid(String reason) {
        return new QueenException(ErrorCode.INVALID_TOKEN, reason);
    }

    /** Never with a text of the token in it. */
    private static String reason(InvalidJwtException e) {
        if (e.hasExpired()) {
            return "The token has expired";
        }
        if (e.hasErrorCode(ErrorCodes.NOT_YET_VALID) || e.hasErrorCode(ErrorCodes.ISSUED_AT_INVALID_FUTURE)) {
            return "The token is not valid yet";
        }
        if (e.hasErrorCode(ErrorCodes.AUDIENCE_INVALID) || e.hasErrorCode(ErrorCodes.AUDIENCE_MISSING)) {
            return "The token is for another audience";
        }
        if (e.hasErrorCode(ErrorCodes.ISSUER_INVALID) || e.hasErrorCode(ErrorCodes.ISSUER_MISSING)) {
            return "The token is of another issuer";
        }
        return e.hasErrorCode(ErrorCodes.SIGNATURE_INVALID)
                ? "The signature of the token is wrong"
                : "The token can't be read, or is signed with an algorithm that is not accepted";
    }
}
