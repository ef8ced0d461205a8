package dev.penstock.cli.output;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Writes elements of a tensor as JSON, directly from its memory. One writer per type; not
/// thread-safe.
interface ElementWriter {
  /// Writes an element that is not null.
  ///
  /// @param values the tensor's memory
  /// @param index the element, in row-major order
  void write(MemorySegment values, long index, OutputBuffer out);

  /// Returns the writer of a type; null if no tensor holds it.
  static @Nullable ElementWriter of(DataType type) {
    IsoTime iso = new IsoTime();
    return switch (type) {
      case DataType.Bool _ -> (v, i, out) -> out.bool(v.get(ValueLayout.JAVA_BYTE, i) != 0);
      case DataType.Int(int bits, boolean signed) -> integer(bits, signed);
      case DataType.Floating(int bits) -> floating(bits);
      case DataType.Date _ ->
          (v, i, out) -> iso.date(v.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i), out);
      case DataType.Time(TimeUnit unit, boolean _) ->
          unit == TimeUnit.MILLIS
              ? (v, i, out) -> IsoTime.time(v.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i), unit, out)
              : (v, i, out) ->
                  IsoTime.time(v.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i), unit, out);
      case DataType.Timestamp(TimeUnit unit, boolean utc) ->
          (v, i, out) ->
              iso.timestamp(v.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i), unit, utc, out);
      default -> null;
    };
  }

  private static ElementWriter integer(int bits, boolean signed) {
    long mask = signed ? -1 : -1L >>> (64 - bits);
    return switch (bits) {
      case 8 -> (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_BYTE, i) & mask);
      case 16 -> (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i) & mask);
      case 32 -> (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i) & mask);
      default ->
          signed
              ? (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i))
              : (v, i, out) -> out.unsigned(v.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i));
    };
  }

  private static ElementWriter floating(int bits) {
    return switch (bits) {
      case 16 -> // as in most JSON parsers, a number of 64 bits
          (v, i, out) ->
              out.number(
                  (double) Float.float16ToFloat(v.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i)));
      case 32 -> (v, i, out) -> out.number(v.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * i));
      default -> (v, i, out) -> out.number(v.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * i));
    };
  }
}
