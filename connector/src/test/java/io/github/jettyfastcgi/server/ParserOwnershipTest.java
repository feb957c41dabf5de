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
        assertThat(ownership.watchingEnds()).isEqualTo(ParserOwnership.Next.NOTHING);

        assertThat(ownership.demand("request")).isEqualTo(ParserOwnership.Next.INTEREST);
        assertThat(ownership.watchingBegins()).as("it has demanded").isFalse();
    }

    @Test
    void whatComesWhileWatchingIsLeftToTheWatching() {
        ownership.requestStarts("request");
        ownership.handlerReturned();

        ownership.watchingBegins();
        assertThat(ownership.demand("request")).isEqualTo(ParserOwnership.Next.NOTHING);
        hasContent = true;
        assertThat(ownership.watchingEnds()).isEqualTo(ParserOwnership.Next.CONTENT);

        ownership.watchingBegins();
        assertThat(ownership.requestCompleted()).isFalse();
        assertThat(ownership.watchingEnds()).isEqualTo(ParserOwnership.Next.ATTACHED);
    }

    /** At once: the application may read meanwhile, though it has demanded, and register interest a second time. */
    @Test
    void whoWatchesRegistersInterestForWhoDemandsMeanwhile() {
        ownership.requestStarts("request");
        ownership.handlerReturned();

        ownership.watchingBegins();
        ownership.demand("request");
        assertThat(ownership.watchingEnds()).isEqualTo(ParserOwnership.Next.INTEREST);

        assertThat(ownership.isInterested()).isTrue();
        assertThat(ownership.readingBegins("request")).isTrue();
        ownership.readingEnds();
        assertThat(ownership.demand("request")).isEqualTo(ParserOwnership.Next.NOTHING);
    }

    /** What was found the application has looked at since. */
    @Test
    void whatWatchingHasReadIsNoNewsToWhoReadsBehindIt() {
        ownership.requestStarts("request");
        ownership.handlerReturned();

        ownership.watchingBegins();
        hasContent = true;
        ownership.watchingEnds();
        ownership.readingBegins("request");
        ownership.readingEnds();

        assertThat(ownership.demand("request")).isEqualTo(ParserOwnership.Next.INTEREST);
    }

    /** The input is another thread's, who may be parsing the next request. */
    @Test
    void demandOfARequestThatIsCompletedLooksAtNothing() {
        ParserOwnership asked = new ParserOwnership(() -> isComplete, () -> {
            throw new IllegalStateException("The caller doesn't own the parser");
        });
        asked.requestStarts("first");
        asked.handlerReturned();
        asked.requestCompleted();

        assertThat(asked.demand("first")).isEqualTo(ParserOwnership.Next.NOTHING);
        asked.requestStarts("second");
        asked.handlerReturned();
        assertThat(asked.demand("first")).isEqualTo(ParserOwnership.Next.NOTHING);
        assertThat(asked.isInterested()).isFalse();
        assertThat(asked.demand("second")).isEqualTo(ParserOwnership.Next.INTEREST);
    }

    /** Interest may have been registered for bytes that have been read in spite of it, and never fire. */
    @Test
    void whoReadsBesideTheCompletionGoesOnThoughItHasDemanded() {
        ownership.requestStarts("request");
        ownership.handlerReturned();
        ownership.demand("request");

        ownership.readingBegins("request");
        assertThat(ownership.requestCompleted()).isFalse();

        assertThat(ownership.readingEnds()).isTrue();
        assertThat(ownership.detachInterested()).as("it is registered already").isFalse();
    }

    /** Nobody else would notice that the peer goes. */
    @Test
    void whoWatchesTheEndOfContentGoesOnReading() {
        ownership.requestStarts("request");
        ownership.handlerReturned();

        ownership.watchingBegins();
        assertThat(ownership.demand("request")).isEqualTo(ParserOwnership.Next.NOTHING);
        isComplete = true;
        assertThat(ownership.watchingEnds()).isEqualTo(ParserOwnership.Next.ATTACHED);
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
        assertThat(ownership.watchingEnds()).isEqualTo(ParserOwnership.Next.NOTHING);

        assertThat(ownership.demand("request")).isEqualTo(ParserOwnership.Next.CONTENT);
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
