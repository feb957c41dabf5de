package io.github.jettyfastcgi.it;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests that one client sends, each after the answer to the one before.
 *
 * @param name the first request, shortened
 * @param requests in order
 */
record Conversation(String name, List<CorpusRequest> requests) {
    private static final String CONTINUES = "+ ";
    private static final int NAME_LENGTH = 100;

    /** Reads the notation that {@code differential/corpus.txt} explains. */
    static List<Conversation> parse(String text) {
        List<Conversation> conversations = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (line.startsWith(CONTINUES)) {
                Conversation last = conversations.get(conversations.size() - 1);
                last.requests.add(CorpusRequest.parse(line.substring(CONTINUES.length())));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                String name = line.length() <= NAME_LENGTH ? line : line.substring(0, NAME_LENGTH) + "...";
                conversations.add(new Conversation(name, new ArrayList<>(List.of(CorpusRequest.parse(line)))));
            }
        }
        return conversations;
    }

    /** The answers that a new client gets. */
    List<Answer> hold(int port) throws IOException {
        List<Answer> answers = new ArrayList<>();
        try (Client client = new Client(port)) {
            Answer last = null;
            for (CorpusRequest request : requests) {
                last = client.send(request.bytes(client, last), request.isAnsweredWithContent());
                answers.add(last);
            }
        }
        return answers;
    }

    @Override
    public String toString() {
        return name;
    }
}
