package io.github.jettyfastcgi.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.jettyfastcgi.status.advice.Advice;
import io.github.jettyfastcgi.status.advice.Severity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Requests that run are shown in the test of the handler. */
class JsonReportTest {
    @Test
    void hasEachFigureUnderItsName() {
        Advice advice = new Advice(Severity.WARNING, "A title.", "A figure.", "Where:", "a line");

        String json = JsonReport.of(
                SomeFigures.complete().get(), Map.of("rate", List.of(1.5)), List.of(advice), List.of(), true);

        assertThat(json).isEqualTo("""
                {"time":1700000000000,\
                "connections":{"open":12,"opened":50,"refused":9,"closed":{"idle_timeout":8,"peer":30},\
                "requestsPerConnection":{"mean":32.5,"p50":32,"p90":58,"p95":61,"p99":64,"max":64}},\
                "requests":{"running":11,"maxRunning":1024,"waitingForThread":2,"queued":3,"maxQueued":512,\
                "finished":745,"byStatus":{"2xx":700,"4xx":40,"5xx":5},"aborted":21,\
                "refused":{"overload":6,"unknown_role":4},"unkept":22,"contentLengthMismatches":23},\
                "bytes":{"in":100000,"out":200000},\
                "protocolErrors":{"unsupported_version":27},\
                "firstByteMillis":{"mean":2.097,"p50":2.097,"p90":2.097,"p95":2.097,"p99":2.097,"max":2.097},\
                "totalMillis":{"mean":13.684,"p50":4.194,"p90":16.777,"p95":33.554,"p99":67.109,"max":67.109},\
                "threads":{"max":190,"current":60,"busy":41,"idle":19,"queue":7},\
                "connectors":[{"name":"fastcgi-unix","address":"/run/f.sock","backlog":28},\
                {"name":"fastcgi-tcp","address":null,"backlog":null}],\
                "running":[],\
                "advice":[{"severity":"warning","title":"A title.","figure":"A figure.","where":"Where:","change":"a line"}],\
                "history":{"rate":[1.5]}}""");
    }
}
