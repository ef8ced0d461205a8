package dev.penstock.internal.cache;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// The digest of some rows and of what is done with them. Equal rows have equal ones, but for nulls
/// of a fixed width, behind which any bytes may be.
final class BlockDigest {
  private final KeyDigest key = new KeyDigest("made of a block by");

  private BlockDigest() {}

  /// @param slices compact columns
  static FileKey of(String version, Schema made, Schema given, List<ColumnSlice> slices) {
    BlockDigest all = new BlockDigest();
    all.key.add(version);
    all.key.add(made);
    all.key.add(given);
    slices.forEach(all::add);
    return all.key.key();
  }

  private void add(ColumnSlice slice) {
    int rows = slice.rowCount();
    MemorySegment validity = slice.validity();
    MemorySegment offsets = slice.offsets();
    key.add(rows);
    key.add(slice.nullCount());
    if (slice.nullCount() > 0 && validity != null) {
      addBits(validity, rows);
    }
    long end = rows;
    if (offsets != null && rows > 0) {
      key.add(offsets, (rows + 1L) * Integer.BYTES);
      end = offsets.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, rows);
    }
    if (offsets != null && !slice.type().isNested()) {
      key.add(slice.values(), rows == 0 ? 0 : end);
    } else if (slice.type() instanceof DataType.Bool) {
      addBits(slice.values(), rows);
    } else if (!slice.type().isNested()) {
      key.add(slice.values(), (long) rows * slice.type().byteWidth());
    }
    slice.children().forEach(this::add);
  }

  /// The bits of the last byte that are of no row may be any.
  private void addBits(MemorySegment bits, int count) {
    key.add(bits, count / 8);
    int rest = count % 8;
    if (rest > 0) {
      key.add(bits.get(ValueLayout.JAVA_BYTE, count / 8) & ((1 << rest) - 1));
    }
  }
}
