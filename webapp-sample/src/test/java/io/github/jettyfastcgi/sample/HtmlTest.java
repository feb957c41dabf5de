package io.github.jettyfastcgi.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HtmlTest {

    @Test
    void escapesWhatCouldLeaveTextOrAttribute() {
        assertThat(Html.escape("<a href=\"x\" title='y'>&amp;"))
                .isEqualTo("&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;");
    }

    @Test
    void leavesOtherTextAsItIs() {
        assertThat(Html.escape("Grüße, €, \uD83D\uDE00, 100 %")).isEqualTo("Grüße, €, \uD83D\uDE00, 100 %");
    }

    @Test
    void escapesArgumentsButNotTheTemplate() {
        assertThat(Html.of("<b>%s</b> %s %s", "<i>", 42, null).markup()).isEqualTo("<b>&lt;i&gt;</b> 42 null");
    }

    @Test
    void insertsHtmlAsItIs() {
        Html inner = Html.of("<i>%s</i>", "&");

        assertThat(Html.of("<b>%s</b>", inner).markup()).isEqualTo("<b><i>&amp;</i></b>");
    }

    @Test
    void takesNoPlaceholdersFromArguments() {
        assertThat(Html.of("%s", Html.of("%s", "%s %d %n")).markup()).isEqualTo("%s %d %n");
    }

    @Test
    void joinsPiecesByLine() {
        assertThat(Html.join(List.of(Html.of("<hr>"), Html.of("%s", ">"))).markup())
                .isEqualTo("<hr>\n&gt;");
    }

    @Test
    void printsItsMarkup() {
        assertThat(Html.of("<b>%s</b>", "<")).hasToString("<b>&lt;</b>");
    }
}
