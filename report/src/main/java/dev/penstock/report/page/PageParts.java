package dev.penstock.report.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What all pages have in common, read and packed once.
///
/// @param template the HTML
/// @param logo the logo, an SVG
/// @param style the style sheet
/// @param script our scripts, as one
/// @param packedCharts the charts' library, packed
/// @param sources where scripts and styles come from: their hashes, in a Content-Security-Policy
record PageParts(
    String template,
    String logo,
    String style,
    String script,
    String packedCharts,
    String sources) {

  /// Our scripts: each uses only what stands before it.
  private static final List<String> SCRIPTS =
      List.of(
          "format.js",
          "dom.js",
          "theme.js",
          "copy.js",
          "table.js",
          "embedded.js",
          "model.js",
          "chart.js",
          "timewindow.js",
          "sections/summary.js",
          "sections/runs.js",
          "sections/stages.js",
          "sections/lanes.js",
          "sections/lanechart.js",
          "sections/throughput.js",
          "sections/timeline.js",
          "sections/readers.js",
          "sections/pruned.js",
          "sections/skew.js",
          "sections/order.js",
          "sections/steps.js",
          "sections/work.js",
          "sections/options.js",
          "compare.js",
          "live.js",
          "main.js");

  private static volatile @Nullable PageParts parts;

  /// Returns the parts. Two threads that are first may both read them.
  static PageParts get() {
    PageParts read = parts;
    if (read == null) {
      read = read();
      parts = read;
    }
    return read;
  }

  /// Returns the Content-Security-Policy of a page that may ask for data at `connect`.
  String policy(String connect) {
    return ("default-src 'none'; %s; img-src data:; connect-src %s; base-uri 'none'; form-action"
            + " 'none'")
        .formatted(sources, connect);
  }

  private static PageParts read() {
    String style = text("page.css");
    String script =
        SCRIPTS.stream().map(name -> text("js/" + name)).collect(Collectors.joining("\n"));
    byte[] charts = bytes("echarts/echarts.min.js");
    String sources =
        "script-src %s %s; style-src %s"
            .formatted(
                source(script.getBytes(StandardCharsets.UTF_8)),
                source(charts),
                source(style.getBytes(StandardCharsets.UTF_8)));
    return new PageParts(
        text("page.html"), text("logo.svg"), style, script, Packed.of(charts), sources);
  }

  private static String source(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException(absent); // each JDK has it
    }
  }

  /// A text as browsers hash it: with the line ends that they make of all others.
  private static String text(String name) {
    return new String(bytes(name), StandardCharsets.UTF_8).replace("\r\n", "\n");
  }

  private static byte[] bytes(String name) {
    try (InputStream in = PageParts.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("Cannot write a report: its part '" + name + "' is absent");
      }
      return in.readAllBytes();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
