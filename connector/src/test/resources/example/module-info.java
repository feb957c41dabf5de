/** The program as a module: it needs to name no module but the connector's. */
module embedded {
    requires io.github.jettyfastcgi;
}
