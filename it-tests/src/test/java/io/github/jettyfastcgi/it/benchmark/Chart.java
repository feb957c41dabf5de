package io.github.jettyfastcgi.it.benchmark;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleBiFunction;

/** Draws ratios as horizontal bars, in SVG that is readable on light and on dark ground. */
final class Chart {
    private static final int LABELS = 320;
    private static final int PANEL = 190;
    private static final int GAP = 50;
    private static final int VALUE = 34;
    private static final int TOP = 64;
    private static final int BAR = 16;
    private static final int STEP = 24;
    private static final int BOTTOM = 28;

    /** Longer bars are cut off, and say their value all the same. */
    private static final double MAX_RATIO = 2.5;

    private static final String STYLE = """
            <style>
              text { font: 12px system-ui, sans-serif; fill: #24292f; }
              .title { font-size: 14px; font-weight: 600; }
              .note { fill: #57606a; }
              .name { font-weight: 600; }
              .bar { fill: #8c959f; }
              .ours { fill: #1a7f5a; }
              .base { stroke: #57606a; stroke-dasharray: 3 3; }
              @media (prefers-color-scheme: dark) {
                text { fill: #e6edf3; }
                .note { fill: #9198a1; }
                .bar { fill: #6e7681; }
                .ours { fill: #3fb98a; }
                .base { stroke: #9198a1; }
              }
            </style>
            """;

    private final StringBuilder svg = new StringBuilder();

    private Chart() {}

    /**
     * Draws one panel for each metric.
     *
     * @param ratio of a row's figure to the one that all are compared with, NaN where there is none
     */
    static String draw(String title, List<Row> rows, List<Metric> metrics, ToDoubleBiFunction<Row, Metric> ratio) {
        Chart chart = new Chart();
        int width = LABELS + metrics.size() * (PANEL + GAP);
        int height = TOP + rows.size() * STEP + BOTTOM;
        chart.add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%1$d\" height=\"%2$d\" role=\"img\">%n",
                width, height);
        chart.svg.append(STYLE);
        chart.add("<title>%s</title>%n", escape(title));
        chart.text(0, 18, "title", title);
        chart.text(0, 38, "note", "Ratios to " + Report.BASE.label() + " (dashed line)");
        for (int i = 0; i < rows.size(); i++) {
            chart.text(
                    0,
                    baseline(i),
                    isOurs(rows.get(i)) ? "name" : "",
                    rows.get(i).label());
        }
        for (int i = 0; i < metrics.size(); i++) {
            chart.panel(LABELS + i * (PANEL + GAP), rows, metrics.get(i), ratio);
        }
        return chart.svg.append("</svg>\n").toString();
    }

    private void panel(int left, List<Row> rows, Metric metric, ToDoubleBiFunction<Row, Metric> ratio) {
        double scale = PANEL / MAX_RATIO;
        double base = left + scale;
        text(
                left,
                TOP - 8,
                "note",
                metric.label() + (metric.isMoreBetter() ? " (more is better)" : " (less is better)"));
        for (int i = 0; i < rows.size(); i++) {
            double value = ratio.applyAsDouble(rows.get(i), metric);
            if (Double.isNaN(value)) {
                text(left, baseline(i), "note", "–");
                continue;
            }
            double length = Math.min(value, MAX_RATIO) * scale;
            add(
                    "<rect class=\"bar%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>%n",
                    isOurs(rows.get(i)) ? " ours" : "", left, TOP + i * STEP, length, BAR);
            text(valueAt(left + length, base), baseline(i), "", String.format(Locale.ROOT, "%.2f", value));
        }
        add(
                "<line class=\"base\" x1=\"%.1f\" y1=\"%d\" x2=\"%1$.1f\" y2=\"%d\"/>%n",
                base, TOP - 4, TOP + rows.size() * STEP);
    }

    /** Right of the bar, and not across the line. */
    private static int valueAt(double barEnd, double base) {
        boolean crosses = barEnd < base && barEnd + VALUE > base;
        return (int) (crosses ? base : barEnd) + 4;
    }

    private static int baseline(int row) {
        return TOP + row * STEP + BAR - 4;
    }

    private static boolean isOurs(Row row) {
        return row.label().contains("this connector");
    }

    private void text(int x, int y, String style, String text) {
        add("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n", style, x, y, escape(text));
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
