package dev.penstock.orc;

import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.orc.OrcProto;
import org.apache.orc.impl.StreamName;

/// The bytes that a reader of some rows and columns reads.
///
/// Only the footer of a stripe says where the streams of a column are. So in advance, a reader of
/// most columns announces whole stripes, and other readers announce the footers. After reading the
/// footer both know their streams, which are read side by side.
final class StreamRanges {
  /// One part in this many of the columns counts as most: when all columns are read, each column
  /// group that shares a run has about that part.
  private static final int MOST = 4;

  private static final long INDEX_BYTES_MAX = 1 << 20;

  private StreamRanges() {}

  /// Returns the types that are read for some columns, by number.
  static boolean[] included(OrcMetadata metadata, List<List<OrcColumn>> paths) {
    boolean[] included = new boolean[metadata.tail().getSchema().getMaximumId() + 1];
    included[0] = true;
    for (List<OrcColumn> path : paths) {
      path.forEach(column -> included[column.id()] = true);
      for (int id = path.getLast().id(); id <= path.getLast().lastId(); id++) {
        included[id] = true;
      }
    }
    return included;
  }

  private static boolean areMost(boolean[] included) {
    int count = 0;
    for (boolean each : included) {
      count += each ? 1 : 0;
    }
    return count * MOST >= included.length;
  }

  /// Returns the ranges that are known without the footers of stripes.
  static List<ByteRange> of(OrcMetadata metadata, Schema columns, long firstRow, long rowCount) {
    List<List<OrcColumn>> paths = new ArrayList<>();
    for (Field field : columns.fields()) {
      List<OrcColumn> path = metadata.path(field.name());
      if (!path.isEmpty()) {
        paths.add(path);
      }
    }
    boolean whole = areMost(included(metadata, paths));
    List<ByteRange> ranges = new ArrayList<>();
    long start = 0;
    for (int i = 0; i < metadata.stripes().size(); i++) {
      long end = start + metadata.rowGroups().get(i).rowCount();
      if (start < firstRow + rowCount && end > firstRow) {
        OrcMetadata.Stripe stripe = metadata.stripes().get(i);
        ranges.add(new ByteRange(stripe.offset() + stripe.streamBytes(), stripe.footerBytes()));
        if (whole) {
          // Only a reader that starts in the middle needs indexes.
          long index = firstRow > start ? 0 : stripe.indexBytes();
          ranges.add(new ByteRange(stripe.offset() + index, stripe.streamBytes() - index));
        }
      }
      start = end;
    }
    return ranges;
  }

  /// Returns what [StrideStatistics] reads: a stripe's footer and, if small enough for one request,
  /// all indexes.
  static List<ByteRange> ofIndexes(OrcMetadata metadata, int stripe) {
    OrcMetadata.Stripe place = metadata.stripes().get(stripe);
    ByteRange footer = new ByteRange(place.offset() + place.streamBytes(), place.footerBytes());
    return place.indexBytes() > INDEX_BYTES_MAX
        ? List.of(footer)
        : List.of(footer, new ByteRange(place.offset(), place.indexBytes()));
  }

  /// Returns the ranges of streams by a stripe's footer.
  ///
  /// @param included the types that are read, by number
  static List<ByteRange> of(
      long start, OrcProto.StripeFooter footer, boolean[] included, boolean isWithIndex) {
    List<ByteRange> ranges = new ArrayList<>();
    long at = start;
    for (OrcProto.Stream stream : footer.getStreamsList()) {
      boolean isIndex = StreamName.getArea(stream.getKind()) == StreamName.Area.INDEX;
      if (included[stream.getColumn()] && stream.getLength() > 0 && (isWithIndex || !isIndex)) {
        ranges.add(new ByteRange(at, stream.getLength()));
      }
      at += stream.getLength();
    }
    return ranges;
  }
}
