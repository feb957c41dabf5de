package io.github.jettyfastcgi.it.benchmark;

/**
 * What one row did in one cell in one round.
 *
 * @param load what the clients saw
 * @param applicationMicros CPU time of the application's processes
 * @param frontMicros CPU time of the web server's processes
 * @param allocated bytes that the application's threads have allocated, where it is a JVM
 * @param gcMillis time of its garbage collections
 */
record Sample(
        int round,
        Row row,
        Cell cell,
        Load load,
        long applicationMicros,
        long frontMicros,
        long allocated,
        long gcMillis) {

    /**
     * What the clients saw.
     *
     * @param micros how long it took
     * @param bytes the bytes of bulk content that went over, or of the responses
     * @param p50 the median of latencies in microseconds, -1 where it isn't measured
     * @param p99 their 99th percentile
     */
    record Load(long micros, long requests, long bytes, long errors, long p50, long p99) {}
}
