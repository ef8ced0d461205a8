package dev.penstock.score;

import dev.penstock.split.Rank;
import java.util.Locale;

/// How the rows of a plan are cut into parts. With 64 parts, each is what one of 64 ranks would
/// read.
///
/// @param rows the rows of the plan in file order, counted as a loader counts them for ranks:
///   without row groups that the filter rules out
/// @param count how many parts there are; 0 if there are no rows
record Parts(long rows, int count) {
  /// Fewer would begin and end too often.
  private static final long ROWS_MIN = 16_384;

  private static final long ROWS_MAX = 1 << 20;

  /// What a part's file holds, about, before compression. It is in memory until it is written.
  private static final long BYTES_MAX = 64 << 20;

  /// A run that is stopped loses at most one part of each thread.
  private static final int COUNT_USUAL = 64;

  /// Cuts rows into parts: 64, of at least 16,384 rows, and of at most 1,048,576 rows and 64 MiB.
  ///
  /// @param rowBytes how many bytes of a row are written
  static Parts of(long rows, long rowBytes) {
    long most = Math.min(ROWS_MAX, Math.max(1, BYTES_MAX / Math.max(1, rowBytes)));
    return ofRows(rows, Math.min(most, Math.max(ROWS_MIN, Math.ceilDiv(rows, COUNT_USUAL))));
  }

  /// Cuts rows into parts of at most `most` rows. Parts are larger where there would otherwise be
  /// more than [Rank#COUNT_MAX].
  static Parts ofRows(long rows, long most) {
    return new Parts(rows, (int) Math.min(Rank.COUNT_MAX, Math.ceilDiv(rows, most)));
  }

  /// Returns the rank that reads a part.
  Rank rank(int part) {
    return new Rank(part, count);
  }

  /// Returns the first row of a part, as ranks are dealt their rows; the end of all for `count`.
  long start(int part) {
    return rows / count * part + Math.min(rows % count, part);
  }

  /// Returns how many rows a part has.
  long rows(int part) {
    return start(part + 1) - start(part);
  }

  /// Returns the name of a part's file, which sorts as the rows do:
  /// `part-000000-156250-3f9c2a1b.parquet` has the rows `[0, 156250)` of the plan `3f9c2a1b`.
  String name(int part, String plan) {
    int digits = Math.max(6, Long.toString(rows).length());
    String form = "part-%0" + digits + "d-%0" + digits + "d-%s.parquet";
    return String.format(Locale.ROOT, form, start(part), start(part + 1), plan);
  }
}
