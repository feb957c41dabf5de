package io.github.jettyfastcgi.protocol;

/**
 * The type of a record (FastCGI specification 1.0, section 8, "Types and Constants").
 */
public enum RecordType {
    BEGIN_REQUEST(1),
    ABORT_REQUEST(2),
    END_REQUEST(3),
    PARAMS(4),
    STDIN(5),
    STDOUT(6),
    STDERR(7),
    DATA(8),
    GET_VALUES(9),
    GET_VALUES_RESULT(10),
    UNKNOWN_TYPE(11);

    private static final RecordType[] BY_CODE = byCode();

    private final int code;

    RecordType(int code) {
        this.code = code;
    }

    /** {@return the value on the wire} */
    public int code() {
        return code;
    }

    /**
     * Finds the type with a given wire value.
     *
     * @param code a value of 0 to 255
     * @return the type, or {@code null} when the specification defines none: such a management record is answered with
     *     {@link #UNKNOWN_TYPE}, such an application record is ignored
     */
    public static RecordType of(int code) {
        return code < BY_CODE.length ? BY_CODE[code] : null;
    }

    private static RecordType[] byCode() {
        RecordType[] types = new RecordType[values().length + 1];
        for (RecordType type : values()) types[type.code] = type;
        return types;
    }
}
