package dev.penstock.internal.csv;

import dev.penstock.internal.text.FormatOptions;
import dev.penstock.internal.text.TextForm;
import dev.penstock.internal.text.TextGroups;
import java.util.List;
import java.util.Map;

/// The user's options for CSV files, see docs/reference/csv.md.
record CsvOptions(
    Heading heading,
    StatedDialect dialect,
    NullSpellings nulls,
    Spellings spellings,
    TextForm.Stated form,
    int sampleRows,
    TextGroups.Cuts cuts) {
  /// The part before the records of a file.
  ///
  /// @param skipRows how many lines at the start of each file are left out
  /// @param isThere whether the first record has the names of the columns
  record Heading(long skipRows, boolean isThere, List<String> names) {
    static Heading of(FormatOptions options) {
      List<String> names = options.list("names").orElse(List.of());
      return new Heading(
          options.number("skip-rows", 0, 0, Integer.MAX_VALUE),
          options.flag("header", names.isEmpty()),
          names);
    }
  }

  private static final List<String> KEYS =
      List.of(
          "comment",
          "date-format",
          "decimal",
          "delimiter",
          "encoding",
          "escape",
          "false",
          "header",
          "max-record-bytes",
          "names",
          "null",
          "quote",
          "ragged",
          "row-group-bytes",
          "row-group-rows",
          "sample-rows",
          "skip-rows",
          "thousands",
          "timestamp-format",
          "trailing-delimiter",
          "true",
          "zstd-window-log");

  static CsvOptions of(Map<String, String> chosen) {
    FormatOptions options = new FormatOptions("csv", KEYS, chosen);
    return new CsvOptions(
        Heading.of(options),
        StatedDialect.of(options),
        NullSpellings.of(options.list("null")),
        Spellings.of(options),
        options.form(),
        options.sampleRows(),
        options.cuts());
  }
}
