package dev.penstock.cli.measure;

import dev.penstock.batch.Batch;
import dev.penstock.batch.DType;
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

  public RowDigest() {}

  private RowDigest(long order, long content) {
    this.order = order;
    this.content = content;
  }

  /// Continues after the rows of another digest, with its [#rawOrder()] and [#rawContent()].
  public static RowDigest of(String rawOrder, String rawContent) {
    return new RowDigest(
        HexFormat.fromHexDigitsToLong(rawOrder), HexFormat.fromHexDigitsToLong(rawContent));
  }

  /// Adds the rows of a batch, which stays open.
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

  /// Returns the digest that depends on the order of rows, as 16 hexadecimal digits.
  public String order() {
    return HexFormat.of().toHexDigits(finish(order));
  }

  /// Returns the digest that does not depend on the order of rows.
  public String content() {
    return HexFormat.of().toHexDigits(finish(content));
  }

  /// Returns the state from which [#order()] continues.
  public String rawOrder() {
    return HexFormat.of().toHexDigits(order);
  }

  /// Returns the state from which [#content()] continues.
  public String rawContent() {
    return HexFormat.of().toHexDigits(content);
  }

  private void addTensor(Tensor tensor, int rows) {
    int width = rows == 0 ? 0 : Math.toIntExact(tensor.shape().elementCount() / rows);
    MemorySegment values = tensor.memory();
    DType type = tensor.dtype();
    long[] hashes = rowHashes;
    for (long element = 0; element < width; element++) {
      for (int row = 0; row < rows; row++) {
        hashes[row] = step(hashes[row], bits(values, type, element + (long) row * width));
      }
    }
  }

  private void addRagged(RaggedTensor lists, int rows) {
    MemorySegment values = lists.values().memory();
    DType type = lists.values().dtype();
    for (int row = 0; row < rows; row++) {
      long start = lists.offsets().getLong(row);
      long end = lists.offsets().getLong(row + 1L);
      long hash = step(rowHashes[row], end - start);
      for (long i = start; i < end; i++) {
        hash = step(hash, bits(values, type, i));
      }
      rowHashes[row] = hash;
    }
  }

  /// Returns an element of a tensor: an integer by its value, a floating-point number by its bits.
  private static long bits(MemorySegment values, DType type, long index) {
    return switch (type) {
      case BOOL, INT8 -> values.get(ValueLayout.JAVA_BYTE, index);
      case UINT8 -> values.get(ValueLayout.JAVA_BYTE, index) & 0xFFL;
      case INT16 -> values.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index);
      case UINT16, FLOAT16 -> values.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * index) & 0xFFFFL;
      case INT32 -> values.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * index);
      case UINT32, FLOAT32 -> values.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * index) & 0xFFFF_FFFFL;
      case INT64, UINT64, FLOAT64 -> values.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * index);
    };
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
