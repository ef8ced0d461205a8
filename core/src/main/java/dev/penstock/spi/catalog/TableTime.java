package dev.penstock.spi.catalog;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;

/// The text form of a time at which a table is read.
public final class TableTime {
  private TableTime() {}

  /// {@return the time of a text}
  ///
  /// @param text for example `2026-11-01T12:00:00Z`; without a zone in UTC
  /// @throws IllegalArgumentException if it is not a time
  public static Instant parse(String text) {
    try {
      return text.matches(".*([Zz]|[+-]\\d\\d:?\\d\\d)")
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "Cannot use the time '" + text + "': expected one such as 2026-11-01T12:00:00Z.", e);
    }
  }
}
