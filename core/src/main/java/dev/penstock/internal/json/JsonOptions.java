package dev.penstock.internal.json;

import dev.penstock.internal.text.FormatOptions;
import dev.penstock.internal.text.TextForm;
import dev.penstock.internal.text.TextGroups;
import java.util.List;
import java.util.Map;

/// The user's options for JSON files, see docs/reference/json.md.
///
/// @param strict whether a field that is not in the sample is an error
record JsonOptions(TextForm.Stated form, boolean strict, int sampleRows, TextGroups.Cuts cuts) {
  private static final List<String> KEYS =
      List.of(
          "encoding",
          "max-record-bytes",
          "row-group-bytes",
          "row-group-rows",
          "sample-rows",
          "unknown",
          "zstd-window-log");

  static JsonOptions of(String format, Map<String, String> chosen) {
    FormatOptions options = new FormatOptions(format, KEYS, chosen);
    return new JsonOptions(
        options.form(),
        options.choice("unknown", "error", "ignore").equals("error"),
        options.sampleRows(),
        options.cuts());
  }
}
