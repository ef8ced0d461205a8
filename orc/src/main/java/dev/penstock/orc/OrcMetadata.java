package dev.penstock.orc;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FieldId;
import dev.penstock.spi.format.FileMetadata;
import java.util.ArrayList;
import java.util.List;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcFile;
import org.apache.orc.OrcProto;
import org.apache.orc.impl.OrcTail;

/// The tail of an ORC file.
///
/// @param columns where each column is, in the schema's order
/// @param tail ORC's own form, for making readers; its stripes have room for [StreamEnds]
/// @param stripeStatistics by stripe; empty if the file has no usable ones
record OrcMetadata(
    Schema schema,
    List<OrcColumn> columns,
    List<RowGroup> rowGroups,
    List<Stripe> stripes,
    OrcTail tail,
    List<OrcProto.StripeStatistics> stripeStatistics)
    implements FileMetadata {
  /// Where a stripe is.
  ///
  /// @param indexBytes the size of the index streams, which come first
  /// @param streamBytes the size of all streams together
  record Stripe(long offset, long indexBytes, long streamBytes, int footerBytes) {}

  /// The least size of a chunk of a compressed stream: a header and a byte.
  private static final int CHUNK_BYTES_MIN = 4;

  /// Returns the most bytes that a stream can decompress to, so that impossible sizes are refused
  /// before memory is allocated.
  ///
  /// @return at most 2^40
  long unpackedBytesMax(long bytes) {
    if (tail.getCompressionKind() == CompressionKind.NONE) {
      return Math.min(bytes, 1L << 40);
    }
    long chunks = Math.min(bytes / CHUNK_BYTES_MIN, 1L << 16);
    return chunks * tail.getCompressionBufferSize();
  }

  /// Returns whether dates are Gregorian throughout, rather than Julian before 1582.
  ///
  /// If a file does not say, its old dates are Julian only if ORC's Java writer wrote it: other
  /// writers, such as the C++ one, count days as all other formats do.
  boolean isProleptic() {
    OrcProto.Footer footer = tail.getFooter();
    return switch (footer.getCalendar()) {
      case PROLEPTIC_GREGORIAN -> true;
      case JULIAN_GREGORIAN -> false;
      case UNKNOWN_CALENDAR -> footer.getWriter() != OrcFile.WriterImplementation.ORC_JAVA.getId();
    };
  }

  /// Returns whether orc-core must convert dates. It treats every file that does not state a
  /// calendar as Julian.
  boolean isConverted() {
    boolean isUnknown = tail.getFooter().getCalendar() == OrcProto.CalendarKind.UNKNOWN_CALENDAR;
    return !(isUnknown && isProleptic());
  }

  /// Returns what the parsed messages take: about four times their bytes.
  @Override
  public long heapBytes() {
    long statistics =
        stripeStatistics.stream().mapToLong(OrcProto.StripeStatistics::getSerializedSize).sum();
    return 4 * (tail.getFooter().getSerializedSize() + statistics);
  }

  @Override
  public List<FieldId> fieldIds() {
    return columns.stream().map(OrcColumn::fieldId).toList();
  }

  @Override
  public ColumnStatistics statistics(int rowGroup, String column) {
    long rows = rowGroups.get(rowGroup).rowCount();
    List<OrcColumn> path = leaf(column);
    if (path.isEmpty() || rowGroup >= stripeStatistics.size()) {
      return ColumnStatistics.UNKNOWN;
    }
    OrcProto.StripeStatistics all = stripeStatistics.get(rowGroup);
    return path.getLast().id() < all.getColStatsCount() // Types are numbered from the outside in.
        ? StatedStatistics.of(path, all::getColStats, rows, this)
        : ColumnStatistics.UNKNOWN;
  }

  /// Looks up a column, or a part of a struct, as [Schema#find] does.
  ///
  /// @return the columns on the path, the wanted one last; empty if not found
  List<OrcColumn> path(String name) {
    List<OrcColumn> path = new ArrayList<>();
    for (int index : schema.path(name)) {
      path.add((path.isEmpty() ? columns : path.getLast().children()).get(index));
    }
    return path;
  }

  /// Looks up a column that has its own values, as [#path] does.
  List<OrcColumn> leaf(String name) {
    List<OrcColumn> path = path(name);
    if (path.isEmpty()) {
      return path;
    }
    DataType type = path.getLast().type();
    return type.isNested() || type instanceof DataType.Unsupported ? List.of() : path;
  }
}
