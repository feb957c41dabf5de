package io.github.jettyfastcgi.it.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.LongStream;

/** CPU time of processes, from /proc. */
final class CpuTime {
    /** USER_HZ is 100 in every Linux. */
    private static final long MICROS_PER_TICK = 10_000;

    /** Fields 14 to 17 of proc(5), counted from the one behind the command: utime, stime, and the same of ended children. */
    private static final int FIRST_FIELD = 11;

    private static final int FIELDS = 4;

    private CpuTime() {}

    /** Microseconds of the process, its children, and what is left of children that ended. */
    static long ofTree(long pid) {
        LongStream descendants = ProcessHandle.of(pid)
                .map(handle -> handle.descendants().mapToLong(ProcessHandle::pid))
                .orElse(LongStream.empty());
        return LongStream.concat(LongStream.of(pid), descendants)
                .map(CpuTime::of)
                .sum();
    }

    private static long of(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            long ticks = 0;
            for (int i = FIRST_FIELD; i < FIRST_FIELD + FIELDS; i++) {
                ticks += Long.parseLong(fields[i]);
            }
            return ticks * MICROS_PER_TICK;
        } catch (NoSuchFileException e) {
            return 0; // ended meanwhile: its parent has its time now
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
