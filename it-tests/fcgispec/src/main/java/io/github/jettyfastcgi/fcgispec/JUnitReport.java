package io.github.jettyfastcgi.fcgispec;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Outcomes as continuous integration servers read them. A MAY that isn't used counts as skipped. */
final class JUnitReport {
    private final XMLStreamWriter xml;

    private JUnitReport(XMLStreamWriter xml) {
        this.xml = xml;
    }

    static void write(Options options, List<Outcome> outcomes) throws IOException {
        try (Writer file = Files.newBufferedWriter(options.junit())) {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(file);
            new JUnitReport(xml).writeSuite(options, outcomes);
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException(e);
        }
    }

    private void writeSuite(Options options, List<Outcome> outcomes) throws XMLStreamException {
        long failures = Outcome.count(outcomes, Outcome.Result.UNMET);
        long skipped = Outcome.count(outcomes, Outcome.Result.SKIPPED) + Outcome.count(outcomes, Outcome.Result.UNUSED);
        Duration total = outcomes.stream().map(Outcome::duration).reduce(Duration.ZERO, Duration::plus);
        xml.writeStartDocument("UTF-8", "1.0");
        xml.writeCharacters("\n");
        start("testsuite", "name", "fcgispec " + options.address().text());
        attributes("tests", outcomes.size(), "failures", failures, "errors", 0, "skipped", skipped);
        attributes("time", seconds(total));
        for (Outcome outcome : outcomes) write(outcome);
        xml.writeCharacters("\n");
        xml.writeEndElement();
        xml.writeCharacters("\n");
        xml.writeEndDocument();
    }

    private void write(Outcome outcome) throws XMLStreamException {
        Case subject = outcome.subject();
        xml.writeCharacters("\n  ");
        start("testcase", "classname", "fcgispec." + subject.group(), "name", subject.id() + ": " + subject.sentence());
        attributes("time", seconds(outcome.duration()));
        switch (outcome.result()) {
            case MET -> {}
            case UNMET -> {
                start("failure", "type", subject.level() + " " + subject.clause(), "message", printable(outcome));
                xml.writeCharacters("expected: " + subject.expected() + "\nobserved: " + printable(outcome));
                xml.writeEndElement();
            }
            case UNUSED, SKIPPED -> {
                start("skipped", "message", printable(outcome));
                xml.writeEndElement();
            }
        }
        xml.writeEndElement();
    }

    /** {@return what was observed, without what XML can't say} */
    private static String printable(Outcome outcome) {
        return outcome.observed().replaceAll("[^\t\n\r\\x20-\uD7FF\uE000-\uFFFD]", "\uFFFD");
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.3f", duration.toNanos() / 1e9);
    }

    private void start(String element, Object... attributes) throws XMLStreamException {
        xml.writeStartElement(element);
        attributes(attributes);
    }

    private void attributes(Object... namesAndValues) throws XMLStreamException {
        for (int i = 0; i < namesAndValues.length; i += 2)
            xml.writeAttribute(namesAndValues[i].toString(), namesAndValues[i + 1].toString());
    }
}
