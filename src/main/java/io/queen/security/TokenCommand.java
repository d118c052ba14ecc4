package io.queen.security;

import io.quarkus.runtime.configuration.ConfigUtils;
import io.queen.config.QueenConfig;
import io.queen.config.SettingsException;
import io.queen.message.QueenException;
import io.smallrye.config.ConfigValidationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code queen token}: a signed token, for installations without an identity provider. Reads the settings that the servers
 * have, so that they accept what it makes; needs no server and no database.
 */
@Command(
        name = "token",
        sortOptions = false,
        usageHelpWidth = 110,
        abbreviateSynopsis = true,
        description = "Prints a signed token, from the settings of the servers: JWT_SECRET, or JWT_PRIVATE_KEY.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:printed", "2:not made; the message says why"})
public final class TokenCommand implements Callable<Integer> {
    private static final Duration LONGEST = Duration.ofDays(366);

    private final Supplier<QueenConfig.Jwt> settings;

    @Spec
    CommandSpec spec;

    @Option(
            names = "--role",
            required = true,
            paramLabel = "ROLE",
            description = "admin, read-write or read-only.",
            converter = RoleConverter.class)
    Level role;

    @Option(
            names = "--subject",
            required = true,
            paramLabel = "NAME",
            description = "For which program or person: stored with each message that is pushed with it.")
    String subject;

    @Option(
            names = "--queues",
            paramLabel = "RIGHT=QUEUE",
            split = ",",
            description =
                    "Only for these queues: produce=orders.*,consume=mail. RIGHT is produce, consume or manage, or"
                            + " left out for all three; * at the end of QUEUE is any end. Without it for all queues.")
    List<String> queues = new ArrayList<>();

    @Option(
            names = "--lifetime",
            paramLabel = "T",
            defaultValue = "30d",
            description = "Until it expires: 30m, 12h, 30d (${DEFAULT-VALUE}); 366d at most.",
            converter = LifetimeConverter.class)
    Duration lifetime;

    @Option(names = "--issuer", paramLabel = "TEXT", description = "The claim iss (JWT_ISSUER).")
    String issuer;

    @Option(names = "--audience", paramLabel = "TEXT", description = "The claim aud (JWT_AUDIENCE).")
    String audience;

    @Option(names = "--key", paramLabel = "FILE", description = "Private key in PEM (JWT_PRIVATE_KEY).")
    Path key;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this.")
    boolean help;

    TokenCommand() {
        this(TokenCommand::ofEnvironment);
    }

    TokenCommand(Supplier<QueenConfig.Jwt> settings) {
        this.settings = settings;
    }

    private static QueenConfig.Jwt ofEnvironment() {
        return ConfigUtils.emptyConfigBuilder()
                .withMapping(QueenConfig.class)
                .withValidateUnknown(false)
                .build()
                .getConfigMapping(QueenConfig.class)
                .jwt();
    }

    @Override
    public Integer call() {
        try {
            QueenConfig.Jwt config = settings.get();
            SigningKey signing = SigningKey.of(config, privateKey(config));
            spec.commandLine().getOut().println(signing.sign(claims(config)));
            return 0;
        } catch (SettingsException | QueenException | ConfigValidationException e) {
            spec.commandLine().getErr().println(e.getMessage());
            return 2;
        }
    }

    private Optional<String> privateKey(QueenConfig.Jwt config) {
        if (key == null) {
            return config.privateKey();
        }
        try {
            return Optional.of(Files.readString(key));
        } catch (IOException e) {
            throw new SettingsException("The file " + key + " can't be read.");
        }
    }

    private JwtClaims claims(QueenConfig.Jwt config) {
        JwtClaims claims = new JwtClaims();
        claims.setSubject(subject);
        claims.setIssuedAtToNow();
        NumericDate end = NumericDate.now();
        end.addSeconds(lifetime.toSeconds());
        claims.setExpirationTime(end);
        Optional.ofNullable(issuer).or(config::issuer).ifPresent(claims::setIssuer);
        Optional.ofNullable(audience).or(config::audience).ifPresent(claims::setAudience);
        Map<String, Object> own = new LinkedHashMap<>();
        put(own, config.rolesClaim(), CallerReader.roles(config).get(role));
        if (!queues.isEmpty()) {
            Map<String, List<String>> rights = rights();
            Rights.read(rights, config.queuesClaim());
            put(own, config.queuesClaim(), rights);
        }
        own.forEach(claims::setClaim);
        return claims;
    }

    private Map<String, List<String>> rights() {
        Map<String, List<String>> rights = new LinkedHashMap<>();
        for (String given : queues) {
            int sign = given.indexOf('=');
            List<String> names =
                    sign < 0 ? Rights.KEYS : List.of(given.substring(0, sign).strip());
            if (!Rights.KEYS.containsAll(names)) {
                throw new ParameterException(
                        spec.commandLine(), "'" + given + "' does not begin with produce=, consume= or manage=");
            }
            names.forEach(name -> rights.computeIfAbsent(name, none -> new ArrayList<>())
                    .add(given.substring(sign + 1).strip()));
        }
        return rights;
    }

    /** Where the dots in the name of the claim lead to, as {@link CallerReader} reads it. */
    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> claims, String name, Object value) {
        int dot = name.indexOf('.');
        if (dot < 0) {
            claims.put(name, value);
        } else {
            Object inner = claims.computeIfAbsent(name.substring(0, dot), none -> new LinkedHashMap<String, Object>());
            put((Map<String, Object>) inner, name.substring(dot + 1), value);
        }
    }

    /** Roles by the names that they have without settings. */
    static final class RoleConverter implements ITypeConverter<Level> {
        @Override
        public Level convert(String text) {
            return switch (text) {
                case "admin" -> Level.ADMIN;
                case "read-write" -> Level.READ_WRITE;
                case "read-only" -> Level.READ_ONLY;
                default -> throw new TypeConversionException("'" + text + "' is not admin, read-write or read-only");
            };
        }
    }

    /** Spans of time as people write them: 30m, 12h, 30d. */
    static final class LifetimeConverter implements ITypeConverter<Duration> {
        private static final Pattern SPAN = Pattern.compile("([1-9][0-9]{0,7})([smhd])");

        @Override
        public Duration convert(String text) {
            Matcher matcher = SPAN.matcher(text);
            if (matcher.matches()) {
                String unit = matcher.group(2).toUpperCase(Locale.ROOT);
                Duration span = Duration.parse((unit.equals("D") ? "P" : "PT") + matcher.group(1) + unit);
                if (span.compareTo(LONGEST) <= 0) {
                    return span;
                }
            }
            throw new TypeConversionException(
                    "'" + text + "' is not a span of time like 30m, 12h or 30d, 366d at most");
        }
    }
}
