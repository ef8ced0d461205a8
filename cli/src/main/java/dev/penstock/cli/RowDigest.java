package dev.penstock.cli;

import dev.penstock.batch.Batch;
import dev.penstock.batch.Tensor;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Two digests of all values delivered in an epoch, as a tensor's consumer sees them.
///
/// [#order()] changes when a value, a null or the order of rows or columns changes; it does not
/// depend on the batch size. [#content()] does not depend on the order of rows either.
///
/// Integers count by value, whatever their width; floating-point numbers by their bits, so `-0.0`
/// is not `0.0` and two NaNs are the same only with the same bits; text and bytes by content. Under
/// the mask policy the mask counts as a column of its own, which tells null from zero; under the
/// nan policy a null is a NaN. For accidents, not against attackers.
final class RowDigest {
  // Odd, with well-spread bits: 2^64 divided by the golden ratio.
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
  private static final long NULL = 0x6E75_6C6C_0BAD_F00DL;

  /*
   * A row's hash takes its columns in order. Column by column over one array of rows, each step is
   * a multiplication that does not wait for the one before, so a value costs about a nanosecond.
   */
  private final Schema schema;
  private long[] rowHashes = new long[0];
  private long order;
  private long content;

  /// Makes the digest of no rows.
  ///
  /// @param schema the dataset's columns; others in a batch are masks and matrices
  RowDigest(Schema schema) {
    this.schema = schema;
  }

  /// Adds the rows of a batch.
  void add(Batch batch) {
    int rows = batch.rowCount();
    if (rowHashes.length < rows) {
      rowHashes = new long[rows];
    }
    Arrays.fill(rowHashes, 0, rows, SPREAD);
    for (String name : batch.names()) {
      if (isList(name)) {
        addList(batch.list(name), rows);
      } else {
        addTensor(batch.tensor(name), rows);
      }
    }
    for (int row = 0; row < rows; row++) {
      long hash = finish(rowHashes[row]);
      order = order * SPREAD + hash;
      content += hash;
    }
  }

  /// Returns the digest that depends on the order of rows.
  ///
  /// @return 16 hexadecimal digits
  String order() {
    return HexFormat.of().toHexDigits(finish(order));
  }

  /// Returns the digest that does not depend on the order of rows.
  ///
  /// @return 16 hexadecimal digits
  String content() {
    return HexFormat.of().toHexDigits(finish(content));
  }

  private boolean isList(String name) {
    return schema.find(name).map(Field::type).filter(RowDigest::isList).isPresent();
  }

  private static boolean isList(DataType type) {
    return switch (type) {
      case DataType.Utf8 _,
          DataType.Binary _,
          DataType.FixedBinary _,
          DataType.Uuid _,
          DataType.Interval _,
          DataType.Decimal _,
          DataType.List _,
          DataType.Struct _,
          DataType.Map _,
          DataType.Unsupported _ ->
          true;
      case DataType.Bool _,
          DataType.Int _,
          DataType.Floating _,
          DataType.Date _,
          DataType.Time _,
          DataType.Timestamp _ ->
          false;
    };
  }

  private void addTensor(Tensor tensor, int rows) {
    int width = rows == 0 ? 0 : Math.toIntExact(tensor.shape().elementCount() / rows);
    for (int element = 0; element < width; element++) {
      addElements(tensor, rows, element, width);
    }
  }

  /// Adds every `stride`-th element of a tensor, from `first` on, one to each row.
  private void addElements(Tensor tensor, int rows, long first, long stride) {
    MemorySegment values = tensor.memory();
    long[] hashes = rowHashes;
    switch (tensor.dtype()) {
      case BOOL, INT8 -> {
        for (int row = 0; row < rows; row++) {
          hashes[row] = step(hashes[row], values.get(ValueLayout.JAVA_BYTE, first + row * stride));
        }
      }
      case UINT8 -> {
        for (int row = 0; row < rows; row++) {
          long value = values.get(ValueLayout.JAVA_BYTE, first + row * stride) & 0xFFL;
          hashes[row] = step(hashes[row], value);
        }
      }
      case INT16 -> {
        for (int row = 0; row < rows; row++) {
          long at = 2 * (first + row * stride);
          hashes[row] = step(hashes[row], values.get(ValueLayout.JAVA_SHORT_UNALIGNED, at));
        }
      }
      case UINT16, FLOAT16 -> {
        for (int row = 0; row < rows; row++) {
          long at = 2 * (first + row * stride);
          long value = values.get(ValueLayout.JAVA_SHORT_UNALIGNED, at) & 0xFFFFL;
          hashes[row] = step(hashes[row], value);
        }
      }
      case INT32 -> {
        for (int row = 0; row < rows; row++) {
          long at = 4 * (first + row * stride);
          hashes[row] = step(hashes[row], values.get(ValueLayout.JAVA_INT_UNALIGNED, at));
        }
      }
      case UINT32, FLOAT32 -> {
        for (int row = 0; row < rows; row++) {
          long at = 4 * (first + row * stride);
          long value = values.get(ValueLayout.JAVA_INT_UNALIGNED, at) & 0xFFFF_FFFFL;
          hashes[row] = step(hashes[row], value);
        }
      }
      case INT64, UINT64, FLOAT64 -> {
        for (int row = 0; row < rows; row++) {
          long at = 8 * (first + row * stride);
          hashes[row] = step(hashes[row], values.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
        }
      }
    }
  }

  private void addList(List<?> values, int rows) {
    for (int row = 0; row < rows; row++) {
      rowHashes[row] = step(rowHashes[row], hash(values.get(row)));
    }
  }

  private static long hash(@Nullable Object value) {
    return switch (value) {
      case null -> NULL;
      case String text -> hash(text);
      case byte[] bytes -> hash(bytes);
      case UUID uuid ->
          step(step(1, uuid.getMostSignificantBits()), uuid.getLeastSignificantBits());
      case BigDecimal decimal -> step(hash(decimal.unscaledValue().toByteArray()), decimal.scale());
      default ->
          throw new IllegalStateException("Cannot digest a value of " + value.getClass() + ".");
    };
  }

  private static long hash(String text) {
    int length = text.length();
    long hash = length;
    for (int i = 0; i < length; i++) {
      hash = step(hash, text.charAt(i));
    }
    return hash;
  }

  private static long hash(byte[] bytes) {
    long hash = ~bytes.length;
    for (byte each : bytes) {
      hash = step(hash, each);
    }
    return hash;
  }

  /// Mixes a value into a hash; with either held fixed, it is one to one in the other.
  private static long step(long hash, long value) {
    long mixed = (hash ^ value) * SPREAD;
    return mixed ^ (mixed >>> 32);
  }

  /// Lets every bit reach every other (the finisher of MurmurHash3, a permutation).
  private static long finish(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xFF51_AFD7_ED55_8CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CE_B9FE_1A85_EC53L;
    return mixed ^ (mixed >>> 33);
  }
}
