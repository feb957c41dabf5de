package io.github.jettyfastcgi.it;

/** How a web server reaches Jetty. */
enum Transport {
    UNIX,
    TCP
}
