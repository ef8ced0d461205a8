package dev.penstock.benchmarks.readers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The shapes of tables that readers are compared on.
public enum Table {
  /// 16 doubles, half of them of full entropy and half with two decimals, and a label.
  FLOATS,
  /// 13 numbers: doubles with 5 % nulls, integers of few distinct values, timestamps.
  MIXEDNUM,
  /// As [#MIXEDNUM], and two columns of text of few distinct values.
  MIXED,
  /// Vectors of 128 floats.
  EMB,
  /// 64 floats.
  F32X64;

  /// The floats of a vector of [#EMB].
  public static final int VECTOR = 128;

  /// What a value is.
  public enum Kind {
    /// 64-bit floating point.
    DOUBLE(8),
    /// 32-bit floating point.
    FLOAT(4),
    /// 32-bit integer.
    INT(4),
    /// 64-bit integer.
    LONG(8),
    /// Text.
    TEXT(4),
    /// A list of 128 32-bit floats.
    VECTOR(4 * Table.VECTOR);

    private final int bytes;

    Kind(int bytes) {
      this.bytes = bytes;
    }

    /// Returns the width of a value in a buffer.
    ///
    /// @return bytes; for text those of an offset or a code
    public int bytes() {
      return bytes;
    }
  }

  /// A column.
  ///
  /// @param name as in the file
  /// @param kind what its values are
  public record Column(String name, Kind kind) {}

  /// Returns the table of a name.
  ///
  /// @param name as [#key()] gives it
  /// @return the table
  /// @throws IllegalArgumentException if there is none
  public static Table named(String name) {
    return Arrays.stream(values())
        .filter(table -> table.key().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "Table must be one of "
                    + Arrays.stream(values()).map(Table::key).toList()
                    + ", got '"
                    + name
                    + "'."));
  }

  /// Returns the name on the command line.
  ///
  /// @return lower case
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Returns the columns that are read, in order.
  ///
  /// @return name and kind
  public List<Column> columns() {
    List<Column> columns = new ArrayList<>();
    switch (this) {
      case FLOATS -> {
        add(columns, "f", 16, Kind.DOUBLE);
        columns.add(new Column("label", Kind.LONG));
      }
      case MIXEDNUM, MIXED -> {
        add(columns, "d", 6, Kind.DOUBLE);
        add(columns, "i", 3, Kind.INT);
        add(columns, "l", 2, Kind.LONG);
        add(columns, "t", 2, Kind.LONG);
        if (this == MIXED) {
          add(columns, "s", 2, Kind.TEXT);
        }
      }
      case EMB -> columns.add(new Column("emb", Kind.VECTOR));
      case F32X64 -> add(columns, "f", 64, Kind.FLOAT);
    }
    return columns;
  }

  private static void add(List<Column> columns, String prefix, int count, Kind kind) {
    for (int i = 0; i < count; i++) {
      columns.add(new Column(prefix + i, kind));
    }
  }

  /// Returns the table whose file holds this one's columns.
  ///
  /// @return this, but [#MIXED] for [#MIXEDNUM]
  public Table stored() {
    return this == MIXEDNUM ? MIXED : this;
  }

  /// Returns what a row weighs in the buffers.
  ///
  /// @return bytes
  public long rowBytes() {
    return columns().stream().mapToLong(column -> column.kind().bytes()).sum();
  }
}
