package io.github.jettyfastcgi.status.advice;

import java.util.List;
import java.util.Objects;

/** One thing that can be wrong. A rule that has something to say of a good configuration is wrong itself. */
@FunctionalInterface
public interface Rule {
    /** All rules, those first that matter most. */
    List<Rule> ALL = List.of(
            new MissingRequestUri(),
            new LargeHeads(),
            new TrustedForwarding(),
            new LostPort(),
            new BusyThreads(),
            new QueuedRequests(),
            new ShortIdleTimeout(),
            new AbortedRequests(),
            new UnkeptConnections(),
            new SmallPool(),
            new GatheredContent(),
            new LocalTCP(),
            new LargeFiles(),
            new UnusedSessions(),
            new IdleThreads());

    /** {@return an advice, or {@code null} if there is nothing to say} */
    Advice check(Observations seen);

    /** {@return the advice of all rules} */
    static List<Advice> checkAll(Observations seen) {
        return ALL.stream()
                .map(rule -> rule.check(seen))
                .filter(Objects::nonNull)
                .toList();
    }
}
