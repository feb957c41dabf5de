package io.github.jettyfastcgi.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Pays a visit over HTTP and then over FastCGI: page by page the answers must be the same. */
final class BothWays {
    private static final Normalization NORMALIZATION = Normalization.STANDARD.and(Visitor.NAMES, "VISITOR");

    private final TwoWaySite site;
    private final Differences differences = Differences.parse(Resources.text("differential/differences.txt"));

    BothWays(TwoWaySite site) {
        this.site = site;
    }

    void pay(Visit visit) throws Exception {
        List<Visitor.Step> http = pay(visit, Way.HTTP);
        List<Visitor.Step> fastcgi = pay(visit, Way.FASTCGI);

        Normalization normalization = visit.normalization(NORMALIZATION);
        assertThat(requests(fastcgi, normalization)).isEqualTo(requests(http, normalization));
        List<String> complaints = new ArrayList<>();
        for (int i = 0; i < http.size(); i++) {
            String request = http.get(i).request();
            complaints(http.get(i).answer(), fastcgi.get(i).answer(), normalization).stream()
                    .map(complaint -> request + ": " + complaint)
                    .forEach(complaints::add);
        }
        assertThat(complaints)
                .withFailMessage(() -> String.join("\n", complaints) + "\n\n" + site.describe())
                .isEmpty();
    }

    private List<Visitor.Step> pay(Visit visit, Way way) throws Exception {
        try (Visitor visitor = new Visitor(way, site.port(way))) {
            visit.pay(visitor);
            return visitor.steps();
        }
    }

    private static List<String> requests(List<Visitor.Step> steps, Normalization normalization) {
        return steps.stream().map(step -> normalization.apply(step.request())).toList();
    }

    private List<String> complaints(Answer http, Answer fastcgi, Normalization normalization) throws IOException {
        boolean tellsLengthOf304 =
                http.status() == 304 && !http.field("Content-Length").isEmpty();
        List<String> allowed = tellsLengthOf304 ? List.of("empty-304") : List.of();
        return differences.complaints(Aspects.of(http, normalization), Aspects.of(fastcgi, normalization), allowed);
    }
}
