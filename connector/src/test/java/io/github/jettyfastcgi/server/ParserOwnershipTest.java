package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whose turn it is to parse, where no test of a whole connection can choose the moment. */
class ParserOwnershipTest {
    private final ParserOwnership ownership = new ParserOwnership(() -> false);

    @Test
    void requestThatIsCompletedReadsNothingOfTheNext() {
        ownership.requestStarts("first");
        ownership.handlerReturned();
        assertThat(ownership.requestCompleted()).isTrue();
        assertThat(ownership.readingBegins("first")).isFalse();

        ownership.requestStarts("second");
        assertThat(ownership.handlerReturned()).isFalse();

        assertThat(ownership.readingBegins("first")).isFalse();
        assertThat(ownership.readingBegins("second")).isTrue();
    }
}
