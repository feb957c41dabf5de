package io.github.jettyfastcgi.it.benchmark;

import java.util.List;

/** A request that is repeated. */
enum Workload {
    HELLO("hello", "GET /hello, 13 bytes", "/hello", 0, 13, List.of()),
    JSON("json", "GET /json, 112 bytes", "/json", 0, 112, List.of("Accept: application/json")),
    BROWSER(
            "browser",
            "GET /hello as a browser sends it: 14 fields, a cookie of 760 bytes",
            "/hello",
            0,
            13,
            browser()),
    COOKIE(
            "cookie",
            "GET /hello with a cookie of 2,000 bytes",
            "/hello",
            0,
            13,
            List.of("Cookie: id=" + "c".repeat(1_997))),
    ECHO("echo", "POST /echo, 1,000 bytes each way", "/echo", 1_000, 1_000, List.of()),
    DOWNLOAD_1M("download-1m", "GET, 1 MB down", "/download/1000000", 0, 1_000_000, List.of()),
    DOWNLOAD_100M("download-100m", "GET, 100 MB down", "/download/100000000", 0, 100_000_000, List.of()),
    UPLOAD_100M("upload-100m", "POST, 100 MB up", "/upload", 100_000_000, 13, List.of());

    private final String id;
    private final String label;
    private final String target;
    private final int up;
    private final int down;
    private final List<String> fields;

    Workload(String id, String label, String target, int up, int down, List<String> fields) {
        this.id = id;
        this.label = label;
        this.target = target;
        this.up = up;
        this.down = down;
        this.fields = fields;
    }

    String id() {
        return id;
    }

    String label() {
        return label;
    }

    String target() {
        return target;
    }

    /** The bytes of content of the request. */
    int up() {
        return up;
    }

    /** The bytes of content of the response. */
    int down() {
        return down;
    }

    /** The fields besides Host. */
    List<String> fields() {
        return fields;
    }

    /** Whether bytes count rather than requests. */
    boolean isBulk() {
        return Math.max(up, down) >= 1_000_000;
    }

    /** Whether requests are so long that they have to be counted out, as those under way at the end would weigh. */
    boolean isCountedOut() {
        return Math.max(up, down) >= 100_000_000;
    }

    private static List<String> browser() {
        StringBuilder cookie = new StringBuilder("Cookie: ");
        for (int i = 0; cookie.length() < "Cookie: ".length() + 740; i++) {
            cookie.append("_ga_")
                    .append(i)
                    .append("=GA1.2.1462873659.17005534")
                    .append(10 + i)
                    .append("; ");
        }
        cookie.append("theme=dark");
        while (cookie.length() < "Cookie: ".length() + 760) {
            cookie.append('x');
        }
        return List.of(
                "Cache-Control: max-age=0",
                "sec-ch-ua: \"Chromium\";v=\"142\", \"Google Chrome\";v=\"142\", \"Not_A Brand\";v=\"99\"",
                "sec-ch-ua-mobile: ?0",
                "sec-ch-ua-platform: \"Linux\"",
                "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
                        + "Chrome/142.0.0.0 Safari/537.36",
                "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
                "Sec-Fetch-Site: same-origin",
                "Sec-Fetch-Mode: navigate",
                "Sec-Fetch-User: ?1",
                "Sec-Fetch-Dest: document",
                "Referer: https://www.example.org/catalogue/instruments?page=3&sort=price",
                "Accept-Language: en-GB,en;q=0.9,de;q=0.8",
                cookie.toString());
    }
}
