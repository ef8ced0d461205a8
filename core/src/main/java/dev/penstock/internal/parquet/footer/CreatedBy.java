package dev.penstock.internal.parquet.footer;

import dev.penstock.schema.DataType;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The program that wrote a file, to decide which of its statistics can be trusted.
///
/// @param text as the file has it
/// @param application its name, or the whole text
/// @param version its version as major * 10^6 + minor * 10^3 + patch; 0 if it has none
record CreatedBy(String text, String application, long version) {
  /* Known faults of writers, with the issue that reports each:
  - parquet-mr before 1.10.0 and parquet-cpp before 1.3.0 compare everything as signed
    (PARQUET-686, PARQUET-1025; in older versions also PARQUET-251, bytes that are overwritten
    later).
  - parquet-cpp before 1.4.0 compares wrongly if there are NaNs (PARQUET-1225).
  - Decimals stored as bytes are compared like text by parquet-cpp (PARQUET-1655, also
    parquet-cpp-arrow before 4.0.0), Polars (29347), ClickHouse (83754) and parquet-rs (1621,
    before 14.0.0; of any length: 10860). So only writers known to be right are trusted.
  - Polars counts nulls once for each page (29321), so only a count of zero is right.
  - parquet-rs before 4.3.0 does not count nulls if all values are null (306).
  - Trino before 460 omits dictionary values from bloom filters (22701), and so does arrow-go for
    values written as a dictionary (1164). */
  private static final Pattern FORM =
      Pattern.compile("(.*?)\\s+version\\s+v?(\\d{1,9})(?:\\.(\\d{1,3}))?(?:\\.(\\d{1,3}))?.*");

  static CreatedBy of(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      return new CreatedBy(text, text.strip(), 0);
    }
    long version = 0;
    for (int group = 2; group <= 4; group++) {
      String number = matcher.group(group);
      version = version * 1000 + (number == null ? 0 : Long.parseLong(number));
    }
    return new CreatedBy(text, matcher.group(1), version);
  }

  private boolean isBefore(String name, int major, int minor) {
    return application.equals(name) && version < major * 1_000_000L + minor * 1_000L;
  }

  /// Returns whether bounds of a column are found with the column's order.
  boolean ordersRight(LeafColumn leaf) {
    boolean decimal = leaf.type() instanceof DataType.Decimal && leaf.isStoredAsBytes();
    boolean otherThanSigned = leaf.isStoredAsBytes() || leaf.isUnsigned();
    if (otherThanSigned && (isBefore("parquet-mr", 1, 10) || isBefore("parquet-cpp", 1, 3))) {
      return false;
    }
    if (leaf.isFloating() && isBefore("parquet-cpp", 1, 4)) {
      return false;
    }
    return !decimal || ordersDecimalBytesRight(leaf.width() > 0);
  }

  private boolean ordersDecimalBytesRight(boolean ofOneLength) {
    return List.of("parquet-mr", "parquet-mr-trino", "parquet-cpp-arrow", "parquet-rs")
            .contains(application)
        && !isBefore("parquet-cpp-arrow", 4, 0)
        && !isBefore("parquet-rs", 14, 0)
        && (ofOneLength || !application.equals("parquet-rs"));
  }

  /// Returns whether a stated number of nulls can be trusted.
  boolean countsRight(long nulls) {
    return nulls == 0 ? !isBefore("parquet-rs", 4, 3) : !application.equals("Polars");
  }

  /// Returns whether all values of a column are in its bloom filter.
  boolean filtersRight() {
    return !isBefore("parquet-mr-trino", 460, 0) && !application.equals("parquet-go");
  }
}
