package io.github.jettyfastcgi.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whose turn it is to parse, where no test of a whole connection can choose the moment. */
class ParserOwnershipTest {
    private boolean isComplete;
    private boolean hasContent;
    private final ParserOwnership ownership = new ParserOwnership(() -> isComplete, () -> hasContent);

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

    @Test
    void watchingIsForRequestsThatNeitherReadNorDemand() {
        assertThat(ownership.watchingBegins()).isFalse();
        ownership.requestStarts("request");
        assertThat(ownership.watchingBegins()).as("its handler is called").isFalse();
        ownership.handlerReturned();
        ownership.readingBegins("request");
        assertThat(ownership.watchingBegins()).as("it reads").isFalse();
        ownership.readingEnds();

        assertThat(ownership.watchingBegins()).isTrue();
        assertThat(ownership.watchingBegins()).as("another one watches").isFalse();
        assertThat(ownership.readingBegins("request")).isFalse();
        assertThat(ownership.watchingEnds()).isEqualTo(ParserOwnership.Recipient.OTHER);

        assertThat(ownership.demand()).isEqualTo(ParserOwnership.Recipient.CALLER);
        assertThat(ownership.watchingBegins()).as("it has demanded").isFalse();
    }

    @Test
    void whatComesWhileWatchingIsLeftToTheWatching() {
        ownership.requestStarts("request");
        ownership.handlerReturned();

        ownership.watchingBegins();
        assertThat(ownership.demand()).isEqualTo(ParserOwnership.Recipient.OTHER);
        assertThat(ownership.watchingEnds()).isEqualTo(ParserOwnership.Recipient.APPLICATION);

        ownership.watchingBegins();
        assertThat(ownership.requestCompleted()).isFalse();
        assertThat(ownership.watchingEnds()).isEqualTo(ParserOwnership.Recipient.CALLER);
    }

    /** Nobody else would notice that the peer goes. */
    @Test
    void whoWatchesTheEndOfContentGoesOnReading() {
        ownership.requestStarts("request");
        ownership.handlerReturned();

        ownership.watchingBegins();
        assertThat(ownership.demand()).isEqualTo(ParserOwnership.Recipient.OTHER);
        isComplete = true;
        assertThat(ownership.watchingEnds()).isEqualTo(ParserOwnership.Recipient.CALLER);
        assertThat(ownership.detachInterested()).isTrue();
    }

    /** The socket would not tell of it once more. */
    @Test
    void whatWatchingHasReadIsGivenToWhoDemandsBehindIt() {
        ownership.requestStarts("request");
        ownership.handlerReturned();
        ownership.readingBegins("request");
        ownership.readingEnds();

        ownership.watchingBegins();
        hasContent = true;
        assertThat(ownership.watchingEnds()).isEqualTo(ParserOwnership.Recipient.OTHER);

        assertThat(ownership.demand()).isEqualTo(ParserOwnership.Recipient.APPLICATION);
        assertThat(ownership.isInterested()).isFalse();
    }

    /** Else the connection would wait for its next request, or its end, as long as for an application. */
    @Test
    void requestThatIsCompletedWhileTheReaderDetachesIsFinishedWith() {
        isComplete = true;
        ownership.requestStarts("request");
        assertThat(ownership.handlerReturned()).isTrue();
        assertThat(ownership.finishes()).isFalse();
        assertThat(ownership.requestCompleted())
                .as("another thread is attached")
                .isFalse();

        assertThat(ownership.detachInterested()).isTrue();
        assertThat(ownership.attachCompleted()).isTrue();

        assertThat(ownership.finishes()).isTrue();
        assertThat(ownership.detachInterested()).isFalse();
        assertThat(ownership.attachCompleted()).isFalse();
    }

    @Test
    void requestThatIsCompletedBeforeTheReaderLooksIsFinishedWithOnce() {
        ownership.requestStarts("request");
        assertThat(ownership.requestCompleted())
                .as("another thread is attached")
                .isFalse();

        assertThat(ownership.handlerReturned()).isTrue();
        assertThat(ownership.finishes()).isTrue();
        assertThat(ownership.detachInterested()).isTrue();
        assertThat(ownership.attachCompleted()).isFalse();
    }
}
