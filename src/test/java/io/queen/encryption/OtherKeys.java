package io.queen.encryption;

import io.queen.message.PartitionName;

/** Payloads as servers with other keys than the tested one stored them. */
public final class OtherKeys {
    /** {@code 7} as Queen 0.1 encrypted it with the key of {@code UnusualSettings}. */
    public static final String FIRST_FORMAT =
            "{\"encrypted\":\"qg==\",\"iv\":\"AAECAwQFBgcICQoLDA0ODw==\",\"authTag\":\"9damG9ZzknVTxLSm08AmvA==\"}";

    private OtherKeys() {}

    /** With the key that decrypts, and no longer encrypts. */
    public static String old(String payload, String queue, String partition, String transactionId) {
        return PayloadCipherTest.cipher("", PayloadCipherTest.KEY)
                .encrypt(payload, new PartitionName(queue, partition), transactionId);
    }

    /** With a key that the server does not have. */
    public static String lost(String payload, String queue, String partition, String transactionId) {
        return PayloadCipherTest.cipher("lost:" + "1".repeat(64), "")
                .encrypt(payload, new PartitionName(queue, partition), transactionId);
    }
}
