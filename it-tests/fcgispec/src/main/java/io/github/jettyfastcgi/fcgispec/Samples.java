package io.github.jettyfastcgi.fcgispec;

/** Content to send and to expect. */
final class Samples {
    private static final int LETTERS = 26;

    /** A prime: a block that is lost, doubled or moved shows. */
    private static final int PERIOD = 251;

    private Samples() {}

    /** {@return all values of bytes but for a few, over and over} */
    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) bytes[i] = (byte) (i % PERIOD);
        return bytes;
    }

    /** {@return the alphabet, over and over: what an application answers to {@code size=}} */
    static byte[] letters(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) bytes[i] = (byte) ('a' + i % LETTERS);
        return bytes;
    }
}
