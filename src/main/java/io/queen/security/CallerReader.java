package io.queen.security;

import io.queen.config.QueenConfig;
import io.queen.web.FieldRules;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.NumericDate;

/** Reads the caller from the claims of a token. */
final class CallerReader {
    private static final Object ABSENT = new Object();
    /** The end of the year 9999: times are written with four digits of a year. */
    private static final long LAST_SECOND = 253_402_300_799L;

    private final List<String> roleClaims;
    private final Map<Level, String> roles;
    private final String queuesClaim;

    CallerReader(QueenConfig.Jwt config) {
        this.roleClaims = List.of(config.rolesClaim(), config.rolesArrayClaim());
        this.roles = roles(config);
        this.queuesClaim = config.queuesClaim();
    }

    /** The names of the roles, by what they give. */
    static Map<Level, String> roles(QueenConfig.Jwt config) {
        return Map.of(
                Level.ADMIN, config.roleAdmin(),
                Level.READ_WRITE, config.roleReadWrite(),
                Level.READ_ONLY, config.roleReadOnly());
    }

    Caller read(JwtClaims claims) throws MalformedClaimException {
        String subject = claims.getSubject();
        if (subject != null && !FieldRules.canBeStored(subject)) {
            throw TokenCheck.invalid("The subject of the token has a character that can't be stored");
        }
        Map<String, Object> all = claims.getClaimsMap();
        String known = subject == null || subject.isEmpty() ? null : subject;
        return new Caller(known, level(all), rights(all), end(claims));
    }

    private static Instant end(JwtClaims claims) throws MalformedClaimException {
        NumericDate end = claims.getExpirationTime();
        return end == null ? null : Instant.ofEpochSecond(Math.min(end.getValue(), LAST_SECOND));
    }

    private Rights rights(Map<String, Object> claims) {
        Object claim = claim(claims, queuesClaim);
        return claim == ABSENT ? Rights.ALL : Rights.read(claim, queuesClaim);
    }

    private Level level(Map<String, Object> claims) {
        Level level = Level.PUBLIC;
        for (String name : roleClaims) {
            Object value = claim(claims, name);
            Collection<?> given =
                    value instanceof Collection<?> list ? list : value == null ? List.of() : List.of(value);
            for (Map.Entry<Level, String> role : roles.entrySet()) {
                if (given.contains(role.getValue()) && role.getKey().covers(level)) {
                    level = role.getKey();
                }
            }
        }
        return level;
    }

    /** The claim of that name, else the one that the dots in it lead to; null, and not absent, where they lead to no object. */
    private static Object claim(Map<?, ?> claims, String name) {
        if (claims.containsKey(name)) {
            return claims.get(name);
        }
        int dot = name.indexOf('.');
        if (dot < 0 || !claims.containsKey(name.substring(0, dot))) {
            return ABSENT;
        }
        return claims.get(name.substring(0, dot)) instanceof Map<?, ?> inner
                ? claim(inner, name.substring(dot + 1))
                : null;
    }
}
