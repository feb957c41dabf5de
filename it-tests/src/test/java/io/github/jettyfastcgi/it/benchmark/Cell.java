package io.github.jettyfastcgi.it.benchmark;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What is measured for several rows, one after another: a table.
 *
 * @param workload what is asked
 * @param buffered whether the web server gathers a message before it passes it on, as is the default of nginx
 * @param connections how many clients ask at the same time
 * @param application what answers, in rows with Jetty
 */
record Cell(Workload workload, boolean buffered, int connections, Application application) {
    /** The number of connections of most figures. */
    static final int USUAL = 30;

    private static final Set<Row> BULK = EnumSet.of(
            Row.PROXY_TCP, Row.PROXY_UNIX, Row.JETTY_FCGI_UNIX, Row.FASTCGI_TCP, Row.FASTCGI_UNIX, Row.RESPONDER);
    private static final Set<Row> OTHER_APPLICATIONS = EnumSet.of(Row.PROXY_UNIX, Row.FASTCGI_UNIX);

    static final List<Cell> ALL = all();

    private static List<Cell> all() {
        List<Cell> cells = new ArrayList<>();
        for (Workload workload : List.of(Workload.HELLO, Workload.BROWSER)) {
            for (int connections : List.of(USUAL, 10, 20, 100)) {
                cells.add(of(workload, connections));
            }
        }
        cells.add(of(Workload.JSON, USUAL));
        cells.add(of(Workload.COOKIE, USUAL));
        cells.add(of(Workload.ECHO, USUAL));
        cells.add(browser(Application.CORE));
        cells.add(browser(Application.WAR));
        for (Workload workload : List.of(Workload.DOWNLOAD_1M, Workload.DOWNLOAD_100M, Workload.UPLOAD_100M)) {
            cells.add(bulk(workload, true));
            cells.add(bulk(workload, false));
        }
        return List.copyOf(cells);
    }

    static Cell of(Workload workload, int connections) {
        return new Cell(workload, true, connections, Application.SERVLET);
    }

    static Cell browser(Application application) {
        return new Cell(Workload.BROWSER, true, USUAL, application);
    }

    static Cell bulk(Workload workload, boolean buffered) {
        return new Cell(workload, buffered, workload.isCountedOut() ? 4 : 10, Application.SERVLET);
    }

    String id() {
        String id = workload.id() + "-" + connections;
        if (application != Application.SERVLET) {
            id += "-" + application.id();
        }
        return buffered ? id : id + "-unbuffered";
    }

    String label() {
        String label = workload.label() + "; " + connections + " connections; " + application.label();
        return workload.isBulk() ? label + (buffered ? "; buffered" : "; unbuffered") : label;
    }

    /** Whether the row belongs into the table. */
    boolean includes(Row row) {
        if (!row.serves(workload)) {
            return false;
        }
        if (application != Application.SERVLET) {
            return OTHER_APPLICATIONS.contains(row);
        }
        if (workload.isBulk()) {
            return BULK.contains(row);
        }
        boolean everyRow = connections == USUAL && (workload == Workload.HELLO || workload == Workload.BROWSER);
        return everyRow || Row.COMPARED.contains(row);
    }
}
