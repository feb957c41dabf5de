package io.github.jettyfastcgi.fcgispec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuiteTest {
    @Test
    void casesAreWrittenAlike() {
        List<Case> cases = Suite.cases();

        assertThat(cases).extracting(Case::id).doesNotHaveDuplicates();
        assertThat(cases).allSatisfy(each -> {
            assertThat(each.id()).matches("[a-z]+(-[a-z0-9]+)+");
            assertThat(each.clause()).matches("FastCGI ([3-7]|A)(\\.\\d)?|RFC 3875 [46](\\.\\d+){0,2}");
            assertThat(each.sentence()).doesNotEndWith(".").doesNotContain("|");
            assertThat(each.expected()).isNotBlank().doesNotContain("|");
        });
    }
}
