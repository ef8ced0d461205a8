package dev.penstock.orc;

import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.orc.OrcProto;
import org.apache.orc.impl.StreamName;

/// Where the streams of a stripe are, and what its footer says about columns.
final class StripeStreams {
  /// Some bytes of the file.
  record Place(long start, long length) {
    static final Place EMPTY = new Place(0, 0);
  }

  private record Key(int column, OrcProto.Stream.Kind kind) {}

  private final StorageFile file;
  private final OrcMetadata metadata;
  private final int stripe;
  private final OrcProto.StripeFooter footer;
  private final Map<Key, Place> places = new HashMap<>();
  private final Map<Integer, Optional<OrcProto.RowIndex>> indexes = new HashMap<>();
  private final boolean isPlain;

  /// @param footer the stripe's stored footer, checked
  StripeStreams(StorageFile file, OrcMetadata metadata, int stripe, OrcProto.StripeFooter footer) {
    this.file = file;
    this.metadata = metadata;
    this.stripe = stripe;
    this.footer = footer;
    boolean once = true;
    long at = metadata.stripes().get(stripe).offset();
    for (StreamName.Area area :
        new StreamName.Area[] {StreamName.Area.INDEX, StreamName.Area.DATA}) {
      for (OrcProto.Stream stream : footer.getStreamsList()) {
        if (StreamName.getArea(stream.getKind()) == area) {
          Key key = new Key(stream.getColumn(), stream.getKind());
          once &= places.put(key, new Place(at, stream.getLength())) == null;
          at += stream.getLength();
        }
      }
    }
    // Rows that are null as a whole are null in every column, and have no values in its streams.
    this.isPlain =
        once
            && footer.getEncryptionCount() == 0
            && !places.containsKey(new Key(0, OrcProto.Stream.Kind.PRESENT));
  }

  /// Returns whether columns can be read from their streams alone.
  boolean isPlain() {
    return isPlain;
  }

  long rowCount() {
    return metadata.rowGroups().get(stripe).rowCount();
  }

  boolean has(int column, OrcProto.Stream.Kind kind) {
    return places.containsKey(new Key(column, kind));
  }

  /// Returns where a stream is; a missing stream has no bytes.
  Place place(int column, OrcProto.Stream.Kind kind) {
    return places.getOrDefault(new Key(column, kind), Place.EMPTY);
  }

  OrcProto.ColumnEncoding encoding(int column) {
    return footer.getColumns(column);
  }

  /// Returns the time zone of the writer; empty if none is stated.
  String writerTimezone() {
    return footer.getWriterTimezone();
  }

  /// Returns how many rows a stride of the row index has; 0 if there is no index.
  int stride() {
    return Math.max(0, metadata.tail().getFooter().getRowIndexStride());
  }

  /// Returns the positions of a column's streams at the start of a stride, if stated.
  Optional<Positions> positions(int column, long stride) throws IOException {
    Optional<OrcProto.RowIndex> index = indexes.get(column);
    if (index == null) {
      Place place = place(column, OrcProto.Stream.Kind.ROW_INDEX);
      index =
          place.length() == 0
              ? Optional.empty()
              : Optional.of(StrideStatistics.index(file, metadata, stripe, place));
      indexes.put(column, index);
    }
    return index
        .filter(known -> stride < known.getEntryCount())
        .map(known -> new Positions(known.getEntry((int) stride).getPositionsList()));
  }
}
