package io.github.jettyfastcgi.server;

/** Codes of the FastCGI specification, section 8, as numbers: what the tests say doesn't hang on our enums. */
final class Wire {
    static final int BEGIN_REQUEST = 1;
    static final int ABORT_REQUEST = 2;
    static final int END_REQUEST = 3;
    static final int PARAMS = 4;
    static final int STDIN = 5;
    static final int STDOUT = 6;
    static final int STDERR = 7;
    static final int DATA = 8;
    static final int GET_VALUES = 9;
    static final int GET_VALUES_RESULT = 10;
    static final int UNKNOWN_TYPE = 11;

    static final int RESPONDER = 1;
    static final int AUTHORIZER = 2;
    static final int FILTER = 3;

    static final int CLOSE = 0;
    static final int KEEP = 1;

    static final int REQUEST_COMPLETE = 0;
    static final int CANT_MPX_CONN = 1;
    static final int UNKNOWN_ROLE = 3;

    private Wire() {}
}
