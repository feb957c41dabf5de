package io.github.jettyfastcgi.sample;

/**
 * The content of a download: the byte at position {@code i}, counted from 0, is {@code i % 251}. As 251 is a prime,
 * nothing that is lost, doubled or moved by the size of some buffer goes unnoticed.
 */
final class Pattern {
    static final int PERIOD = 251;

    private final byte[] bytes;

    /** A pattern that is read in pieces of at most {@code length} bytes. */
    Pattern(int length) {
        bytes = new byte[length + PERIOD - 1];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i % PERIOD);
        }
    }

    /** The array that holds each piece; it must not be changed. */
    byte[] array() {
        return bytes;
    }

    /** Where in {@link #array} the piece begins that belongs to a position of the download. */
    int offset(long position) {
        return (int) (position % PERIOD);
    }
}
