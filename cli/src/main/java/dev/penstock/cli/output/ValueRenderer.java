package dev.penstock.cli.output;

import dev.penstock.batch.Batch;
import dev.penstock.batch.RaggedTensor;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes the values of one column as JSON.
///
/// Chosen once per column by its type, then bound to one batch after another. Expects batches of
/// tensors with [dev.penstock.batch.NullPolicy.Mask]. Not thread-safe.
public abstract class ValueRenderer {
  private ValueRenderer() {}

  /// Returns the renderers of all columns.
  ///
  /// @throws IllegalArgumentException if a column is of a type that cannot be read
  public static List<ValueRenderer> of(Schema schema) {
    return schema.fields().stream().map(ValueRenderer::of).toList();
  }

  static ValueRenderer of(Field field) {
    ElementWriter writer = ElementWriter.of(field.type());
    if (writer != null) {
      return new OfTensor(field, writer);
    }
    if (field.type() instanceof DataType.List(DataType element, boolean nullable)) {
      ElementWriter elements = ElementWriter.of(element);
      if (elements != null) {
        Field inner = new Field(field.name() + ".element", element, nullable);
        return new OfRagged(field, inner, elements);
      }
    }
    if (field.type() instanceof DataType.Unsupported) {
      throw new IllegalArgumentException(
          "Cannot show column '"
              + field.name()
              + "': its type "
              + field.type()
              + " cannot be read. Choose others with --columns.");
    }
    return new OfList(field);
  }

  /// Switches to the next batch, which must stay open while its values are written.
  public abstract void bind(Batch batch);

  /// Writes the value of a row of the bound batch, `null` if it has none.
  public abstract void write(int row, OutputBuffer out);

  private static boolean isPresent(@Nullable MemorySegment mask, long index) {
    return mask == null || mask.get(ValueLayout.JAVA_BYTE, index) != 0;
  }

  private static final class OfTensor extends ValueRenderer {
    private final Field field;
    private final ElementWriter element;
    private MemorySegment values = MemorySegment.NULL;
    private @Nullable MemorySegment mask;

    OfTensor(Field field, ElementWriter element) {
      this.field = field;
      this.element = element;
    }

    @Override
    public void bind(Batch batch) {
      values = batch.tensor(field.name()).memory();
      mask = field.nullable() ? batch.tensor(field.name() + ".mask").memory() : null;
    }

    @Override
    public void write(int row, OutputBuffer out) {
      if (isPresent(mask, row)) {
        element.write(values, row, out);
      } else {
        out.none();
      }
    }
  }

  private static final class OfRagged extends ValueRenderer {
    private final Field field;
    private final Field element;
    private final ElementWriter writer;
    private MemorySegment values = MemorySegment.NULL;
    private MemorySegment offsets = MemorySegment.NULL;
    private @Nullable MemorySegment mask;
    private @Nullable MemorySegment elementMask;

    OfRagged(Field field, Field element, ElementWriter writer) {
      this.field = field;
      this.element = element;
      this.writer = writer;
    }

    @Override
    public void bind(Batch batch) {
      RaggedTensor lists = batch.ragged(field.name());
      values = lists.values().memory();
      offsets = lists.offsets().memory();
      mask = field.nullable() ? batch.tensor(field.name() + ".mask").memory() : null;
      elementMask =
          element.nullable() ? batch.ragged(element.name() + ".mask").values().memory() : null;
    }

    @Override
    public void write(int row, OutputBuffer out) {
      if (!isPresent(mask, row)) {
        out.none();
        return;
      }
      long start = offsets.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, row);
      long end = offsets.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, row + 1L);
      out.write('[');
      for (long index = start; index < end; index++) {
        if (index > start) {
          out.write(',');
        }
        if (isPresent(elementMask, index)) {
          writer.write(values, index, out);
        } else {
          out.none();
        }
      }
      out.write(']');
    }
  }

  private static final class OfList extends ValueRenderer {
    private final String name;
    private final ObjectWriter writer;
    private List<?> values = List.of();

    OfList(Field field) {
      this.name = field.name();
      this.writer = ObjectWriter.of(field.type());
    }

    @Override
    public void bind(Batch batch) {
      values = batch.list(name);
    }

    @Override
    public void write(int row, OutputBuffer out) {
      writer.write(values.get(row), out);
    }
  }
}
