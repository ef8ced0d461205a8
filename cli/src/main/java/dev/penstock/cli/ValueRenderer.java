package dev.penstock.cli;

import dev.penstock.batch.Batch;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Writes the values of one column as JSON, straight from the batch's memory.
///
/// Chosen once per column by its type, then bound to one batch after the other. Expects batches of
/// tensors with [dev.penstock.batch.NullPolicy.Mask]. Not for several threads.
abstract class ValueRenderer {
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};
  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};

  /// Writes the value at an index of a tensor's memory.
  private interface Element {
    void write(MemorySegment values, int index, OutputBuffer out);
  }

  /// Writes a value of a list, which is not null.
  private interface Item {
    void write(Object value, OutputBuffer out);
  }

  /// Returns the renderers of all columns, in order.
  static List<ValueRenderer> of(Schema schema) {
    return schema.fields().stream().map(ValueRenderer::of).toList();
  }

  /// Returns the renderer of a column.
  static ValueRenderer of(Field field) {
    IsoTime iso = new IsoTime();
    return switch (field.type()) {
      case DataType.Bool _ ->
          tensor(
              field, (v, i, out) -> out.write(v.get(ValueLayout.JAVA_BYTE, i) != 0 ? TRUE : FALSE));
      case DataType.Int(int bits, boolean signed) -> tensor(field, integer(bits, signed));
      case DataType.Floating(int bits) -> tensor(field, floating(bits));
      case DataType.Date _ ->
          tensor(
              field,
              (v, i, out) -> {
                out.write('"');
                iso.date(v.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i), out);
                out.write('"');
              });
      case DataType.Time(DataType.TimeUnit unit, boolean _) ->
          tensor(
              field,
              (v, i, out) -> {
                out.write('"');
                IsoTime.time(
                    unit == DataType.TimeUnit.MILLIS
                        ? v.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i)
                        : v.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i),
                    unit,
                    out);
                out.write('"');
              });
      case DataType.Timestamp(DataType.TimeUnit unit, boolean utc) ->
          tensor(
              field,
              (v, i, out) -> {
                out.write('"');
                iso.timestamp(v.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i), unit, utc, out);
                out.write('"');
              });
      case DataType.Decimal(int _, int scale) ->
          list(
              field,
              (value, out) -> out.string(((BigDecimal) value).setScale(scale).toPlainString()));
      case DataType.Utf8 _ -> list(field, (value, out) -> out.string((String) value));
      case DataType.Binary _, DataType.FixedBinary _, DataType.Interval _ ->
          list(field, (value, out) -> out.base64((byte[]) value));
      case DataType.Uuid _ -> list(field, (value, out) -> out.string(((UUID) value).toString()));
      case DataType.List _, DataType.Struct _, DataType.Map _, DataType.Unsupported _ ->
          throw new IllegalArgumentException(
              "Cannot show column '"
                  + field.name()
                  + "': its type "
                  + field.type()
                  + " cannot be read. Choose others with --columns.");
    };
  }

  private static Element integer(int bits, boolean signed) {
    return switch (bits) {
      case 8 ->
          signed
              ? (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_BYTE, i))
              : (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_BYTE, i) & 0xFF);
      case 16 ->
          signed
              ? (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i))
              : (v, i, out) ->
                  out.integer(v.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i) & 0xFFFF);
      case 32 ->
          signed
              ? (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i))
              : (v, i, out) ->
                  out.integer(v.get(ValueLayout.JAVA_INT_UNALIGNED, 4L * i) & 0xFFFF_FFFFL);
      default ->
          signed
              ? (v, i, out) -> out.integer(v.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i))
              : (v, i, out) -> {
                long value = v.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i);
                if (value >= 0) {
                  out.integer(value);
                } else {
                  out.ascii(Long.toUnsignedString(value));
                }
              };
    };
  }

  private static Element floating(int bits) {
    return switch (bits) {
      case 16 ->
          (v, i, out) ->
              floating(Float.float16ToFloat(v.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i)), out);
      case 32 -> (v, i, out) -> floating(v.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i), out);
      default ->
          (v, i, out) -> {
            double value = v.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8L * i);
            number(Double.toString(value), Double.isFinite(value), out);
          };
    };
  }

  private static void floating(float value, OutputBuffer out) {
    number(Float.toString(value), Float.isFinite(value), out);
  }

  // Float.toString and Double.toString give the shortest text that reads back to the same value.
  private static void number(String text, boolean finite, OutputBuffer out) {
    if (finite) {
      out.ascii(text);
    } else {
      out.write('"');
      out.ascii(text);
      out.write('"');
    }
  }

  /// Turns to the next batch, which must stay open while its values are written.
  abstract void bind(Batch batch);

  /// Writes the value of a row of the bound batch, `null` where it has none.
  abstract void write(int row, OutputBuffer out);

  private static ValueRenderer tensor(Field field, Element element) {
    return new OfTensor(field, element);
  }

  private static ValueRenderer list(Field field, Item item) {
    return new OfList(field, item);
  }

  private static final class OfTensor extends ValueRenderer {
    private final String name;
    private final boolean nullable;
    private final Element element;
    private MemorySegment values = MemorySegment.NULL;
    private @Nullable MemorySegment mask;

    OfTensor(Field field, Element element) {
      this.name = field.name();
      this.nullable = field.nullable();
      this.element = element;
    }

    @Override
    void bind(Batch batch) {
      values = batch.tensor(name).memory();
      mask = nullable ? batch.tensor(name + ".mask").memory() : null;
    }

    @Override
    void write(int row, OutputBuffer out) {
      if (mask != null && mask.get(ValueLayout.JAVA_BYTE, row) == 0) {
        out.write(NULL);
      } else {
        element.write(values, row, out);
      }
    }
  }

  private static final class OfList extends ValueRenderer {
    private final String name;
    private final Item item;
    private List<?> values = List.of();

    OfList(Field field, Item item) {
      this.name = field.name();
      this.item = item;
    }

    @Override
    void bind(Batch batch) {
      values = batch.list(name);
    }

    @Override
    void write(int row, OutputBuffer out) {
      Object value = values.get(row);
      if (value == null) {
        out.write(NULL);
      } else {
        item.write(value, out);
      }
    }
  }
}
