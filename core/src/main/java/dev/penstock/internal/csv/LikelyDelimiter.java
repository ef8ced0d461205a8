package dev.penstock.internal.csv;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.internal.csv.FieldSplitter.MalformedRecordException;
import java.util.List;
import java.util.Optional;

/// The delimiter that is likely meant in text that has one column by another: it cuts each of the
/// first records into the same number of fields.
final class LikelyDelimiter {
  private static final List<Character> DELIMITERS = List.of(',', ';', '\t', '|');
  private static final int RECORDS_MIN = 2;
  private static final int RECORDS_MAX = 100;

  private LikelyDelimiter() {}

  /// Returns what to tell the user; empty if one column is likely meant.
  ///
  /// @param from the address of the first record
  /// @param to the end of the text in memory
  /// @param last whether the text ends there
  static Optional<Advice> of(Dialect dialect, long from, long to, boolean last) {
    for (char each : DELIMITERS) {
      if (!dialect.uses((byte) each)) {
        int fields = fields(dialect.delimitedBy((byte) each), from, to, last);
        if (fields > 1) {
          return Optional.of(
              Advice.of(
                  "There is a single column, but '%s' cuts each of the first records into %s"
                      + " fields%s.",
                  name(each), fields, remedy((byte) each)));
        }
      }
    }
    return Optional.empty();
  }

  /// Returns what to do where a byte is met that may separate fields; nothing for other bytes.
  static Advice remedy(byte met) {
    return DELIMITERS.contains((char) met)
        ? Advice.of(
            ". If that separates fields, set %s",
            Remedy.formatOption("delimiter", "to", name((char) met)))
        : Advice.text("");
  }

  private static String name(char delimiter) {
    return delimiter == '\t' ? "tab" : String.valueOf(delimiter);
  }

  /// Returns how many fields each of the first records has; 0 if their numbers differ, or there are
  /// too few records to tell.
  private static int fields(Dialect dialect, long from, long to, boolean last) {
    FieldSplitter splitter = new FieldSplitter(dialect, new int[0], true);
    long next = from;
    int fields = 0;
    int records = 0;
    try {
      while (records < RECORDS_MAX && splitter.split(next, to, last, 1) == 1) {
        if (records > 0 && splitter.fields != fields) {
          return 0;
        }
        fields = splitter.fields;
        next = splitter.next;
        records++;
      }
    } catch (MalformedRecordException _) {
      return 0; // quotes are not where this delimiter would have them
    }
    return records < RECORDS_MIN ? 0 : fields;
  }
}
