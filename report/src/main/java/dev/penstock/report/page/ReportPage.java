package dev.penstock.report.page;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Writes a report as one HTML file, which needs no network and no server to be looked at.
///
/// The file holds the page, the charts' library and the report's data. Its Content-Security-Policy
/// allows the scripts of the page by their hashes and nothing else, so no text in the data can run.
///
/// **Threads.** Any number of threads may write pages. **Order.** The same data give the same
/// bytes.
public final class ReportPage {
  private ReportPage() {}

  /// Writes the page of a report that is complete.
  ///
  /// @param json the report's data, one JSON object
  /// @param out where the page goes
  /// @throws IOException if `out` fails
  public static void write(String json, Appendable out) throws IOException {
    out.append(page(json, ConnectSource.NONE));
  }

  /// Writes the page of a report that is complete, in UTF-8.
  ///
  /// @param json the report's data, one JSON object
  /// @param out where the page goes; stays open
  /// @throws IOException if `out` fails
  public static void write(String json, OutputStream out) throws IOException {
    out.write(page(json, ConnectSource.NONE).getBytes(StandardCharsets.UTF_8));
  }

  /// Writes the page of a report that grows while it is looked at, in UTF-8. While the data say
  /// `"live": true` the page asks its server each second for newer ones: for `data` beside the
  /// page, with the page's own query.
  ///
  /// @param json the report's data so far, one JSON object
  /// @param out where the page goes; stays open
  /// @throws IOException if `out` fails
  public static void writeLive(String json, OutputStream out) throws IOException {
    out.write(page(json, ConnectSource.SELF).getBytes(StandardCharsets.UTF_8));
  }

  private static String page(String json, ConnectSource connect) {
    PageParts parts = PageParts.get();
    return PageTemplate.fill(
        parts.template(),
        name ->
            switch (name) {
              case "policy" -> parts.policy(connect);
              case "style" -> parts.style();
              case "data" -> EmbeddedData.of(json).element();
              case "charts" -> parts.packedCharts();
              case "script" -> parts.script();
              default -> throw new IllegalStateException("Cannot fill '" + name + "' of the page");
            });
  }
}
