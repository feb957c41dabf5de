package io.github.jettyfastcgi.it;

/** How a request gets from nginx to Jetty. */
enum Way {
    HTTP,
    FASTCGI
}
