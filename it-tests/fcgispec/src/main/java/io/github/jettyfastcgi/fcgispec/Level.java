package io.github.jettyfastcgi.fcgispec;

/**
 * How much a case binds an application. The FastCGI specification has no keywords: what it states of an application is
 * taken for a MUST, "should" and "recommend" for a SHOULD, "may", "can" and "needn't" for a MAY.
 */
enum Level {
    MUST,
    SHOULD,
    /** The specifications are silent, or leave it to the web server, but web servers in use need it. */
    PRACTICE,
    MAY
}
