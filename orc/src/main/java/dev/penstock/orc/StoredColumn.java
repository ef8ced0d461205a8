package dev.penstock.orc;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.LittleEndian;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.apache.orc.OrcProto;
import org.apache.orc.TypeDescription;
import org.jspecify.annotations.Nullable;

/// A column that is decoded from its streams in a stripe, without orc-core (ORC specification,
/// "Column Encodings"). Unknown encodings and anything unusual are left to orc-core.
///
/// **Ownership.** Owns the memory of its slices, which each call reuses.
///
/// **Errors.** An [IOException] says what is wrong with a stream, without a position; reopen the
/// column before reading it again.
abstract class StoredColumn {
  /// The most rows decoded at once.
  static final int ROWS_MAX = 8192;

  static final ValueLayout.OfLong LONG = LittleEndian.LONG;

  /// Work memory that the columns of a reader use in turn.
  static final class Workspace {
    final StorageFile file;
    final ScratchMemory memory;
    final @Nullable Chunks chunks;
    private final int columns;

    /// The values that are not null, one after another, and one spare place after the last.
    final long[] dense = new long[ROWS_MAX + 1];

    final long[] more = new long[ROWS_MAX + 1];

    /// The values, each in its row.
    final long[] spread = new long[ROWS_MAX + 1];

    /// Which rows are present, one bit each.
    final long[] present = new long[BitRuns.wordsFor(ROWS_MAX)];

    /// @param columns how many columns share it, at least 1
    Workspace(StorageFile file, OrcMetadata metadata, int columns, ScratchMemory memory) {
      this.file = file;
      this.columns = columns;
      this.memory = memory;
      this.chunks = Chunks.of(metadata, memory);
    }

    StoredStream stream() {
      return new StoredStream(file, columns, chunks, memory);
    }
  }

  final OrcColumn column;
  final Workspace work;
  private final BitRuns presences;
  private final ScratchBuffer validity;
  private @Nullable StripeStreams streams;
  private boolean nullable; // in this stripe
  private long row = -1; // the next row in the stripe, or -1 if not known

  StoredColumn(OrcColumn column, Workspace work) {
    this.column = column;
    this.work = work;
    this.presences = new BitRuns(work.stream());
    this.validity = new ScratchBuffer(work.memory);
  }

  /// Returns the decoder of a column from its streams, if there is one.
  static @Nullable StoredColumn of(OrcMetadata metadata, OrcColumn column, Workspace work) {
    if (metadata.tail().getSchema().getCategory() != TypeDescription.Category.STRUCT) {
      return null;
    }
    return switch (column.orc().getCategory()) {
      case FLOAT, DOUBLE -> new StoredFloats(column, work);
      case BYTE, SHORT, INT, LONG -> new StoredIntegers(column, work, false);
      case DATE -> new StoredIntegers(column, work, !metadata.isProleptic());
      case BOOLEAN -> new StoredBooleans(column, work);
      case STRING, BINARY -> new StoredTexts(column, work);
      case TIMESTAMP, TIMESTAMP_INSTANT -> new StoredTimes(column, work, metadata.isProleptic());
      case CHAR, VARCHAR, DECIMAL, LIST, MAP, STRUCT, UNION, Geometry, Geography -> null;
    };
  }

  DataType type() {
    return column.type();
  }

  /// Moves to a stripe.
  ///
  /// @return whether the column can be decoded there; if not, nothing else may be called
  final boolean open(StripeStreams stripe) {
    streams = stripe;
    nullable = stripe.has(column.id(), OrcProto.Stream.Kind.PRESENT);
    row = -1;
    return stripe.isPlain() && isKnown(stripe.encoding(column.id()), stripe);
  }

  /// Forgets the column's position, after an error.
  final void lose() {
    row = -1;
  }

  private StripeStreams streams() {
    StripeStreams known = streams;
    if (known == null) {
      throw new IllegalStateException("No stripe was opened.");
    }
    return known;
  }

  final StripeStreams.Place place(OrcProto.Stream.Kind kind) {
    return streams().place(column.id(), kind);
  }

  final OrcProto.ColumnEncoding encoding() {
    return streams().encoding(column.id());
  }

  /// Decodes rows.
  ///
  /// @param first the first of them, counted in the stripe
  /// @param count how many, at most [#ROWS_MAX]; all in the stripe
  final ColumnSlice slice(long first, int count) throws IOException {
    move(first);
    row = -1; // until everything is decoded
    int values = nullable ? presences.read(work.present, count) : count;
    MemorySegment bits = null;
    if (values < count) {
      bits = validity.ensure(8L * (count + 63) / 64 + 8);
      MemorySegment.copy(work.present, 0, bits, LONG, 0, (count + 63) / 64);
    }
    ColumnSlice slice = read(count, values, bits);
    row = first + count;
    return slice;
  }

  /// Moves to a row, by the row index if it has a nearer position.
  private void move(long to) throws IOException {
    int stride = streams().stride();
    long from = row;
    if (from < 0 || from > to || (stride > 0 && to / stride > from / stride)) {
      row = -1;
      Optional<Positions> positions =
          stride == 0 || to < stride
              ? Optional.empty()
              : streams().positions(column.id(), to / stride);
      if (positions.isPresent()) {
        reopen();
        if (nullable) {
          presences.seek(positions.get());
        }
        seek(positions.get());
        from = to / stride * stride;
      } else if (from < 0 || from > to) {
        reopen();
        from = 0;
      }
    }
    row = -1;
    if (from < to) {
      skip(nullable ? presences.skip(to - from) : to - from);
    }
    row = to;
  }

  private void reopen() throws IOException {
    presences.open(place(OrcProto.Stream.Kind.PRESENT));
    begin();
  }

  /// Puts values into their rows.
  ///
  /// @param dense the values; has room for one more than there are
  final long[] spread(long[] dense, int count) {
    long[] to = work.spread;
    int from = 0;
    for (int word = 0; word << 6 < count; word++) {
      long bits = work.present[word];
      int end = Math.min(count, (word + 1) << 6);
      for (int i = word << 6; i < end; i++) {
        to[i] = dense[from]; // any value in a null row
        from += (int) bits & 1;
        bits >>>= 1;
      }
    }
    return to;
  }

  /// Returns whether the encoding of values in a stripe is known: the direct one always is.
  boolean isKnown(OrcProto.ColumnEncoding encoding, StripeStreams stripe) {
    return encoding.getKind() == OrcProto.ColumnEncoding.Kind.DIRECT;
  }

  /// Moves to the start of the value streams.
  abstract void begin() throws IOException;

  /// Moves to a position of the row index.
  abstract void seek(Positions positions) throws IOException;

  /// Skips values.
  abstract void skip(long values) throws IOException;

  /// Reads rows.
  ///
  /// @param values how many of them are not null; [Workspace#present] says which
  /// @param bits the same as memory; null if all are present
  abstract ColumnSlice read(int count, int values, @Nullable MemorySegment bits) throws IOException;
}
