package dev.penstock.cli.measure;

import dev.penstock.batch.Batch;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.batch.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Two digests of all values delivered in an epoch, as a tensor's consumer sees them.
///
/// [#order()] changes when a value, a null or the order of rows or columns changes; it does not
/// depend on the batch size. [#content()] does not depend on the order of rows either.
///
/// Integers count by value, whatever their width; floating-point numbers by their bits, so `-0.0`
/// is not `0.0` and two NaNs are the same only with the same bits; text and bytes by content;
/// nested values by their parts and their number. Under the mask policy the mask counts as a
/// separate column, which distinguishes null from zero and from an empty list; under the nan policy
/// a null is a NaN. Detects accidents, not attacks.
public final class RowDigest {
  // Odd, with well-spread bits: 2^64 divided by the golden ratio.
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
  private static final long NULL = 0x6E75_6C6C_0BAD_F00DL;
  private static final long NESTED = 0x6E65_7374_6564_0001L;

  /*
   * A row's hash takes its columns in order. Column by column over an array of rows, each step is a
   * multiplication that does not depend on the previous one, so a value costs about a nanosecond.
   */
  private long[] rowHashes = new long[0];
  private long order;
  private long content;

  /// Begins with no rows.
  public RowDigest() {}

  private RowDigest(long order, long content) {
    this.order = order;
    this.content = content;
  }

  /// Continues after the rows of another digest.
  ///
  /// @param rawOrder its [#rawOrder()]
  /// @param rawContent its [#rawContent()]
  /// @return a digest of those rows
  public static RowDigest of(String rawOrder, String rawContent) {
    return new RowDigest(
        HexFormat.fromHexDigitsToLong(rawOrder), HexFormat.fromHexDigitsToLong(rawContent));
  }

  /// Adds the rows of a batch.
  ///
  /// @param batch the batch, which stays open
  public void add(Batch batch) {
    int rows = batch.rowCount();
    if (rowHashes.length < rows) {
      rowHashes = new long[rows];
    }
    Arrays.fill(rowHashes, 0, rows, SPREAD);
    for (String name : batch.names()) {
      switch (batch.column(name)) {
        case Tensor tensor -> addTensor(tensor, rows);
        case RaggedTensor lists -> addRagged(lists, rows);
        case List<?> values -> addList(values, rows);
        case Object other -> throw new IllegalStateException("Cannot digest " + other.getClass());
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
  public String order() {
    return HexFormat.of().toHexDigits(finish(order));
  }

  /// Returns the digest that does not depend on the order of rows.
  ///
  /// @return 16 hexadecimal digits
  public String content() {
    return HexFormat.of().toHexDigits(finish(content));
  }

  /// Returns the state from which [#order()] continues.
  ///
  /// @return 16 hexadecimal digits
  public String rawOrder() {
    return HexFormat.of().toHexDigits(order);
  }

  /// Returns the state from which [#content()] continues.
  ///
  /// @return 16 hexadecimal digits
  public String rawContent() {
    return HexFormat.of().toHexDigits(content);
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

  private void addRagged(RaggedTensor lists, int rows) {
    Tensor values = lists.values();
    for (int row = 0; row < rows; row++) {
      long start = lists.offsets().getLong(row);
      long end = lists.offsets().getLong(row + 1L);
      rowHashes[row] = elements(step(rowHashes[row], end - start), values, start, end);
    }
  }

  /// Adds elements `[start, end)` of a tensor to a hash.
  private static long elements(long before, Tensor tensor, long start, long end) {
    MemorySegment values = tensor.memory();
    long hash = before;
    switch (tensor.dtype()) {
      case BOOL, INT8 -> {
        for (long i = start; i < end; i++) {
          hash = step(hash, values.get(ValueLayout.JAVA_BYTE, i));
        }
      }
      case UINT8 -> {
        for (long i = start; i < end; i++) {
          hash = step(hash, values.get(ValueLayout.JAVA_BYTE, i) & 0xFFL);
        }
      }
      case INT16 -> {
        for (long i = start; i < end; i++) {
          hash = step(hash, values.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i));
        }
      }
      case UINT16, FLOAT16 -> {
        for (long i = start; i < end; i++) {
          hash = step(hash, values.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i) & 0xFFFFL);
        }
      }
      case INT32 -> {
        for (long i = start; i < end; i++) {
          hash = step(hash, values.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i));
        }
      }
      case UINT32, FLOAT32 -> {
        for (long i = start; i < end; i++) {
          hash = step(hash, values.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i) & 0xFFFF_FFFFL);
        }
      }
      case INT64, UINT64, FLOAT64 -> {
        for (long i = start; i < end; i++) {
          hash = step(hash, values.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i));
        }
      }
    }
    return hash;
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
      case Boolean bool -> step(NESTED, bool ? 1 : 0);
      case Integer number -> step(NESTED, number);
      case Long number -> step(NESTED, number);
      case BigInteger number -> hash(number.toByteArray());
      case Float number -> step(NESTED, Float.floatToRawIntBits(number));
      case Double number -> step(NESTED, Double.doubleToRawLongBits(number));
      case LocalDate date -> step(NESTED, date.toEpochDay());
      case LocalTime time -> step(NESTED, time.toNanoOfDay());
      case Instant time -> step(step(NESTED, time.getEpochSecond()), time.getNano());
      case LocalDateTime time -> hash(time.toInstant(ZoneOffset.UTC));
      case List<?> list -> hash(list);
      case Map<?, ?> struct -> hash(struct.values());
      case Map.Entry<?, ?> entry ->
          step(step(NESTED, hash(entry.getKey())), hash(entry.getValue()));
      default ->
          throw new IllegalStateException("Cannot digest a value of " + value.getClass() + ".");
    };
  }

  private static long hash(Collection<?> parts) {
    long hash = step(~NESTED, parts.size());
    for (Object part : parts) {
      hash = step(hash, hash(part));
    }
    return hash;
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

  /// Mixes a value into a hash; with either fixed, it is one-to-one in the other.
  private static long step(long hash, long value) {
    long mixed = (hash ^ value) * SPREAD;
    return mixed ^ (mixed >>> 32);
  }

  /// Mixes the bits: each affects every other (the finalizer of MurmurHash3, a permutation).
  private static long finish(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xFF51_AFD7_ED55_8CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CE_B9FE_1A85_EC53L;
    return mixed ^ (mixed >>> 33);
  }
}
