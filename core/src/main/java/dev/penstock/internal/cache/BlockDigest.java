package dev.penstock.internal.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;

/// The digest of some rows and of what is done with them. Equal rows have equal ones, but for nulls
/// of a fixed width, behind which any bytes may be.
final class BlockDigest {
  private static final long BYTES_AT_ONCE = 1L << 24;

  private final MessageDigest digest = FileKey.sha256();

  private BlockDigest() {}

  /// @param slices compact columns
  static FileKey of(String version, Schema made, Schema given, List<ColumnSlice> slices) {
    BlockDigest all = new BlockDigest();
    all.add("made of a block by");
    all.add(version);
    all.add(made);
    all.add(given);
    slices.forEach(all::add);
    return FileKey.of(all.digest);
  }

  private void add(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    add(bytes.length);
    digest.update(bytes);
  }

  private void add(int number) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, number));
  }

  private void add(Schema columns) {
    add(columns.size());
    for (Field field : columns.fields()) {
      add(field.name());
      add(CachedFile.exact(field.type()));
      add(field.nullable() ? 1 : 0);
    }
  }

  private void add(ColumnSlice slice) {
    int rows = slice.rowCount();
    MemorySegment validity = slice.validity();
    MemorySegment offsets = slice.offsets();
    add(rows);
    add(slice.nullCount());
    if (slice.nullCount() > 0 && validity != null) {
      addBits(validity, rows);
    }
    long end = rows;
    if (offsets != null && rows > 0) {
      addBytes(offsets, (rows + 1L) * Integer.BYTES);
      end = offsets.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, rows);
    }
    if (offsets != null && !slice.type().isNested()) {
      addBytes(slice.values(), rows == 0 ? 0 : end);
    } else if (slice.type() instanceof DataType.Bool) {
      addBits(slice.values(), rows);
    } else if (!slice.type().isNested()) {
      addBytes(slice.values(), (long) rows * slice.type().byteWidth());
    }
    slice.children().forEach(this::add);
  }

  private void addBytes(MemorySegment bytes, long length) {
    for (long at = 0; at < length; at += BYTES_AT_ONCE) {
      digest.update(bytes.asSlice(at, Math.min(BYTES_AT_ONCE, length - at)).asByteBuffer());
    }
  }

  /// The bits of the last byte that are of no row may be any.
  private void addBits(MemorySegment bits, int count) {
    addBytes(bits, count / 8);
    int rest = count % 8;
    if (rest > 0) {
      digest.update((byte) (bits.get(ValueLayout.JAVA_BYTE, count / 8) & ((1 << rest) - 1)));
    }
  }
}
