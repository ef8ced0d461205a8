package dev.penstock.internal.csv;

import dev.penstock.internal.text.FormatOptions;
import dev.penstock.internal.text.TextForm;
import dev.penstock.internal.text.TextGroups;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How the user says that CSV files are written, see docs/reference/csv.md.
///
/// @param skipRows how many lines at the start of each file are left out
/// @param header whether the first record has the names of the columns
/// @param names the names of the columns where the user gives them
/// @param delimiter the byte between fields; empty to tell it from the extension
/// @param quote the byte around fields, or -1
/// @param escape the byte before one that means itself, or -1
/// @param comment the first byte of lines that are left out, or -1
/// @param nulls what unquoted fields are null in all columns; empty for the usual spellings, which
///   are none in columns of strings
/// @param form how text is stored
/// @param spellings how values are written
/// @param trailing whether a delimiter ends a record's last field, too
/// @param fill whether fields that are missing at the end of a record are null
/// @param sampleRows of how many records of each file the types are told
/// @param cuts where row groups are cut
record CsvOptions(
    long skipRows,
    boolean header,
    List<String> names,
    Optional<Byte> delimiter,
    int quote,
    int escape,
    int comment,
    Optional<List<String>> nulls,
    TextForm.Stated form,
    Spellings spellings,
    boolean trailing,
    boolean fill,
    int sampleRows,
    TextGroups.Cuts cuts) {
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
    List<String> names = options.list("names").orElse(List.of());
    CsvOptions made =
        new CsvOptions(
            options.number("skip-rows", 0, 0, Integer.MAX_VALUE),
            options.flag("header", names.isEmpty()),
            names,
            options.has("delimiter")
                ? Optional.of((byte) options.character("delimiter", -1, false))
                : Optional.empty(),
            options.character("quote", '"', true),
            options.character("escape", -1, true),
            options.character("comment", -1, true),
            options.list("null"),
            options.form(),
            Spellings.of(options),
            options.flag("trailing-delimiter", false),
            options.choice("ragged", "error", "fill").equals("fill"),
            options.sampleRows(),
            options.cuts());
    made.requireDistinct();
    return made;
  }

  private void requireDistinct() {
    int[] bytes = {delimiter.map(Byte::intValue).orElse((int) ','), quote, escape, comment};
    String[] keys = {"delimiter", "quote", "escape", "comment"};
    for (int i = 0; i < bytes.length; i++) {
      for (int j = 0; j < i; j++) {
        if (bytes[i] >= 0 && bytes[i] == bytes[j]) {
          throw FormatOptions.wrong(
              keys[i],
              String.valueOf((char) bytes[i]),
              "another character than option '" + keys[j] + "'");
        }
      }
    }
  }
}
