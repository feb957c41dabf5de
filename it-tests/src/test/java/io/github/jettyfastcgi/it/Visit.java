package io.github.jettyfastcgi.it;

/** What somebody does at a web application, written down, so that it can be done both ways. */
interface Visit {
    /** Asks for page after page, and checks what must be on them. */
    void pay(Visitor visitor) throws Exception;

    /** What differs between any two visits besides the visitors' names. */
    default Normalization normalization(Normalization standard) {
        return standard;
    }
}
