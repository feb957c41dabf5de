package io.github.jettyfastcgi.it;

import java.util.List;

/**
 * The classes of a Jetty after a full collection.
 *
 * @param count how many are loaded
 * @param webApplications how many class loaders of web applications there are
 */
record LoadedClasses(long count, long webApplications) {
    static LoadedClasses of(ServerProcess jetty) throws InterruptedException {
        List<String> objects = Footprint.jcmd(jetty, "GC.class_histogram"); // which collects
        List<String> counters = Footprint.jcmd(jetty, "PerfCounter.print");
        long loaders = objects.stream()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length > 3 && columns[3].endsWith(".WebAppClassLoader"))
                .mapToLong(columns -> Long.parseLong(columns[1]))
                .sum();
        return new LoadedClasses(
                counter(counters, "java.cls.loadedClasses")
                        + counter(counters, "java.cls.sharedLoadedClasses")
                        - counter(counters, "java.cls.unloadedClasses")
                        - counter(counters, "java.cls.sharedUnloadedClasses"),
                loaders);
    }

    private static long counter(List<String> counters, String name) {
        return counters.stream()
                .filter(line -> line.startsWith(name + "="))
                .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public String toString() {
        return count + " classes";
    }
}
