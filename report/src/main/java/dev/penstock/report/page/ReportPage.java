package dev.penstock.report.page;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Writes a report as one HTML file, which needs no network and no server to be looked at.
///
/// The file holds the page, the charts' library and the report's data. Its Content-Security-Policy
/// allows the scripts of the page by their hashes and nothing else, so no text in the data can run.
///
/// **Threads.** Any number of threads may write pages. **Order.** The same data give the same
/// bytes.
public final class ReportPage {
  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

  /// From here on data are packed: 10,000 slices, waits and files take 3 MB as they are.
  private static final int PACKED_FROM_BYTES = 256 << 10;

  private ReportPage() {}

  /// Writes the page of a report that is complete.
  ///
  /// @param json the report's data, one JSON object
  /// @param out where the page goes
  /// @throws IOException if `out` fails
  public static void write(String json, Appendable out) throws IOException {
    out.append(page(json, "'none'"));
  }

  /// Writes the page of a report that is complete, in UTF-8.
  ///
  /// @param json the report's data, one JSON object
  /// @param out where the page goes; stays open
  /// @throws IOException if `out` fails
  public static void write(String json, OutputStream out) throws IOException {
    out.write(page(json, "'none'").getBytes(StandardCharsets.UTF_8));
  }

  /// Writes the page of a report that grows while it is looked at, in UTF-8. While the data say
  /// `"live": true` the page asks its server each second for newer ones: for `data` beside the
  /// page, with the page's own query.
  ///
  /// @param json the report's data so far, one JSON object
  /// @param out where the page goes; stays open
  /// @throws IOException if `out` fails
  public static void writeLive(String json, OutputStream out) throws IOException {
    out.write(page(json, "'self'").getBytes(StandardCharsets.UTF_8));
  }

  /// Fills the places of the template that are marked `{{name}}`. What is put in is not looked at
  /// again, so a text may hold braces.
  private static String page(String json, String connect) {
    PageParts parts = PageParts.get();
    Map<String, String> texts =
        Map.of(
            "policy", parts.policy(connect),
            "logo", parts.logo(),
            "icon",
                Base64.getEncoder().encodeToString(parts.logo().getBytes(StandardCharsets.UTF_8)),
            "style", parts.style(),
            "data", data(json),
            "charts", parts.packedCharts(),
            "script", parts.script());
    return PLACE
        .matcher(parts.template())
        .replaceAll(
            place -> Matcher.quoteReplacement(Objects.requireNonNull(texts.get(place.group(1)))));
  }

  /// Returns the element with the data: as they are, or packed where they are long. The page's
  /// script knows both encodings.
  private static String data(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    boolean isPacked = bytes.length >= PACKED_FROM_BYTES;
    // JSON has "<" only within strings, where it can be escaped. Without it no text ends the
    // element or opens a comment.
    return "<script type=\"application/json\" id=\"report\" data-encoding=\""
        + (isPacked ? "gzip" : "none")
        + "\">"
        + (isPacked ? Packed.of(bytes) : json.replace("<", "\\u003c"))
        + "</script>";
  }
}
