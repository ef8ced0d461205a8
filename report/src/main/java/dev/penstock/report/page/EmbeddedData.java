package dev.penstock.report.page;

import java.nio.charset.StandardCharsets;

/// A report's data as an element of its page: as they are, or packed where they are long.
///
/// @param encoding how the text is encoded, as the page's script knows it
/// @param text the element's text, in which nothing can end the element
record EmbeddedData(String encoding, String text) {
  /// From here on data are packed: 10,000 slices, waits and files take 3 MB as they are.
  private static final int PACKED_FROM_BYTES = 256 << 10;

  static EmbeddedData of(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    if (bytes.length >= PACKED_FROM_BYTES) {
      return new EmbeddedData("gzip", Packed.of(bytes));
    }
    // JSON has "<" only within strings, where it can be escaped. Without it no text ends the
    // element or opens a comment.
    return new EmbeddedData("none", json.replace("<", "\\u003c"));
  }

  /// The element.
  String element() {
    return "<script type=\"application/json\" id=\"report\" data-encoding=\""
        + encoding
        + "\">"
        + text
        + "</script>";
  }
}
