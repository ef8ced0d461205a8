package dev.penstock.cli.output;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Writes elements of a tensor as JSON, directly from its memory. One writer per type; not
/// thread-safe.
interface ElementWriter {
  /// Writes an element that is not null.
  ///
  /// @param values the tensor's memory
  /// @param index the element, in row-major order
  void write(MemorySegment values, long index, OutputBuffer out);

  /// Returns whether elements of a type are held in tensors.
  static boolean writes(DataType type) {
    return switch (type) {
      case DataType.Bool _,
          DataType.Int _,
          DataType.Floating _,
          DataType.Date _,
          DataType.Time _,
          DataType.Timestamp _ ->
          true;
      case DataType.Utf8 _,
          DataType.Binary _,
          DataType.FixedBinary _,
          DataType.Uuid _,
          DataType.Interval _,
          DataType.Decimal _,
          DataType.List _,
          DataType.Struct _,
          DataType.Map _,
          DataType.Variant _,
          DataType.Null _,
          DataType.Unsupported _ ->
          false;
    };
  }

  /// Returns the writer of a type that is held in tensors.
  static ElementWriter of(DataType type) {
    IsoTime iso = new IsoTime();
    return switch (type) {
      case DataType.Bool _ -> (v, i, out) -> out.bool(v.get(ValueLayout.JAVA_BYTE, i) != 0);
      case DataType.Int(int bits, boolean signed) -> integer(bits, signed);
      case DataType.Floating(int bits) -> floating(bits);
      case DataType.Date _ ->
          (v, i, out) -> iso.quotedDate(v.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i), out);
      case DataType.Time(TimeUnit unit, boolean _) ->
          unit == TimeUnit.MILLIS
              ? (v, i, out) ->
                  IsoTime.quotedTime(v.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i), unit, out)
              : (v, i, out) ->
                  IsoTime.quotedTime(v.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i), unit, out);
      case DataType.Timestamp(TimeUnit unit, boolean utc) ->
          (v, i, out) ->
              iso.quotedTimestamp(v.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i), unit, utc, out);
      default -> throw new IllegalArgumentException("No tensor holds " + type);
    };
  }

  private static ElementWriter integer(int bits, boolean signed) {
    return switch (bits) {
      case 8 ->
          signed
              ? (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_BYTE, i))
              : (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_BYTE, i) & 0xFF);
      case 16 ->
          signed
              ? (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i))
              : (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i) & 0xFFFF);
      case 32 ->
          signed
              ? (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i))
              : (v, i, out) ->
                  out.integer(v.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i) & 0xFFFF_FFFFL);
      default ->
          signed
              ? (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i))
              : (v, i, out) -> out.unsigned(v.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * i));
    };
  }

  private static ElementWriter floating(int bits) {
    return switch (bits) {
      case 16 ->
          (v, i, out) ->
              out.half(Float.float16ToFloat(v.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i)));
      case 32 -> (v, i, out) -> out.number(v.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * i));
      default -> (v, i, out) -> out.number(v.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * i));
    };
  }
}
