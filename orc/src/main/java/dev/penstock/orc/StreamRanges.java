package dev.penstock.orc;

import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.orc.OrcProto;
import org.apache.orc.impl.StreamName;

/// Which bytes a reader of some rows and columns reads.
///
/// Only the footer of a stripe says where the streams of a column are. So of a reader of most
/// columns it is known before that it wants whole stripes; of others, that they want the footers.
/// From there both know their streams, which are read side by side.
final class StreamRanges {
  /// So many parts of the columns are most: each of the groups of columns that share a run has so
  /// many when all columns are read.
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

  /// Returns what can be known without the footers of stripes.
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
          // Indexes are for a reader that starts in the middle.
          long index = firstRow > start ? 0 : stripe.indexBytes();
          ranges.add(new ByteRange(stripe.offset() + index, stripe.streamBytes() - index));
        }
      }
      start = end;
    }
    return ranges;
  }

  /// Returns what [StrideStatistics] reads: a stripe's footer and, where that takes no longer than
  /// to ask for one of them, all indexes.
  static List<ByteRange> ofIndexes(OrcMetadata metadata, int stripe) {
    OrcMetadata.Stripe place = metadata.stripes().get(stripe);
    ByteRange footer = new ByteRange(place.offset() + place.streamBytes(), place.footerBytes());
    return place.indexBytes() > INDEX_BYTES_MAX
        ? List.of(footer)
        : List.of(footer, new ByteRange(place.offset(), place.indexBytes()));
  }

  /// Returns what a stripe's footer says of the places of streams.
  ///
  /// @param start where the stripe starts
  /// @param footer the stripe's footer as it is in the file
  /// @param included the types that are read, by number
  /// @param isWithIndex whether indexes are read as well
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
