package io.github.jettyfastcgi.it.benchmark;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A child JVM, seen from outside through its management beans, so that the application in it needs no code for that. */
final class Jvm implements Closeable {
    private final JMXConnector connector;
    private final ThreadMXBean threads;
    private final MemoryMXBean memory;
    private final CompilationMXBean compilation;
    private final List<GarbageCollectorMXBean> collectors;
    private final Map<Long, Long> allocatedByThread = new HashMap<>();
    private long allocated;

    private Jvm(JMXConnector connector) throws IOException {
        this.connector = connector;
        MBeanServerConnection server = connector.getMBeanServerConnection();
        threads = ManagementFactory.newPlatformMXBeanProxy(
                server, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
        memory = ManagementFactory.newPlatformMXBeanProxy(
                server, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
        compilation = ManagementFactory.newPlatformMXBeanProxy(
                server, ManagementFactory.COMPILATION_MXBEAN_NAME, CompilationMXBean.class);
        collectors = ManagementFactory.getPlatformMXBeans(server, GarbageCollectorMXBean.class);
    }

    static Jvm attach(long pid) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            String address = machine.startLocalManagementAgent();
            machine.detach();
            return new Jvm(JMXConnectorFactory.connect(new JMXServiceURL(address)));
        } catch (AttachNotSupportedException e) {
            throw new IOException(e);
        }
    }

    /** Bytes that threads have allocated so far; those of a thread that ends count up to the last call before. */
    long allocated() {
        long[] ids = threads.getAllThreadIds();
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        for (int i = 0; i < ids.length; i++) {
            if (bytes[i] >= 0) {
                Long before = allocatedByThread.put(ids[i], bytes[i]);
                allocated += bytes[i] - (before == null ? 0 : before);
            }
        }
        return allocated;
    }

    long gcMillis() {
        return collectors.stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    /** Time spent so far on compiling: as long as it grows fast, the JVM isn't warm. */
    long compilationMillis() {
        return compilation.getTotalCompilationTime();
    }

    int threads() {
        return threads.getThreadCount();
    }

    /** Bytes of the objects that survive a full collection. */
    long liveBytes() {
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
