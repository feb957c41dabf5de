package io.github.jettyfastcgi.fcgispec;

/** The types of records (FastCGI 8), as numbers, since others are sent as well. */
final class RecordType {
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

    private static final String[] NAMES = {
        "BEGIN_REQUEST",
        "ABORT_REQUEST",
        "END_REQUEST",
        "PARAMS",
        "STDIN",
        "STDOUT",
        "STDERR",
        "DATA",
        "GET_VALUES",
        "GET_VALUES_RESULT",
        "UNKNOWN_TYPE"
    };

    private RecordType() {}

    static String name(int type) {
        return type >= 1 && type <= NAMES.length ? NAMES[type - 1] : "type " + type;
    }
}
