package io.queen.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The certificate and key of each handshake, which can be replaced at any time. A handshake asks for a name first, and for
 * what belongs to it later: names are numbered, so that one that has begun goes on with what it began with.
 */
final class RenewedKeyManager extends X509ExtendedKeyManager {
    private volatile Generation current;

    private record Generation(int number, X509ExtendedKeyManager keys, Generation before) {
        String name(String own) {
            return own == null ? null : number + " " + own;
        }
    }

    RenewedKeyManager(X509ExtendedKeyManager keys) {
        this.current = new Generation(0, keys, null);
    }

    void renew(X509ExtendedKeyManager keys) {
        Generation last = current;
        current = new Generation(last.number + 1, keys, new Generation(last.number, last.keys, null));
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        Generation now = current;
        return now.name(now.keys.chooseEngineServerAlias(keyType, issuers, engine));
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        Generation now = current;
        return now.name(now.keys.chooseServerAlias(keyType, issuers, socket));
    }

    @Override
    public X509Certificate[] getCertificateChain(String name) {
        Generation of = of(name);
        return of == null ? null : of.keys.getCertificateChain(own(name));
    }

    @Override
    public PrivateKey getPrivateKey(String name) {
        Generation of = of(name);
        return of == null ? null : of.keys.getPrivateKey(own(name));
    }

    private Generation of(String name) {
        int number = Integer.parseInt(name.substring(0, name.indexOf(' ')));
        for (Generation each = current; each != null; each = each.before) {
            if (each.number == number) {
                return each;
            }
        }
        return null;
    }

    private static String own(String name) {
        return name.substring(name.indexOf(' ') + 1);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return null;
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        return null;
    }

    @Override
    public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
        return null;
    }
}
