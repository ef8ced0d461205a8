package dev.penstock.transform;

import dev.penstock.internal.choice.Sentence;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.spi.format.ColumnSlice;
import java.util.function.DoubleUnaryOperator;

/// What transforms of numbers share: checks of their arguments, and the loop over a column.
final class Numbers {
  private Numbers() {}

  /// Returns a column with a function applied to every number. Null rows stay null; the function
  /// receives NaN for them.
  static ColumnBlock map(ColumnBlock block, String column, DoubleUnaryOperator function) {
    Field field = require(block, column);
    double[] values = block.doubles(column);
    for (int i = 0; i < values.length; i++) {
      values[i] = function.applyAsDouble(values[i]);
    }
    ColumnBlock changed =
        field.type() instanceof DataType.Floating(int bits) && bits < 64
            ? block.with(column, floats(values))
            : block.with(column, values);
    return field.nullable() ? changed.withPresent(column, block.present(column)) : changed;
  }

  private static float[] floats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  /// Returns the column of that name, which must have numbers.
  static Field require(ColumnBlock block, String column) {
    ColumnSlice _ = block.slice(column); // its error lists the existing columns
    Field field = block.schema().find(column).orElseThrow();
    boolean number =
        switch (field.type()) {
          case DataType.Bool _, DataType.Int _, DataType.Floating _, DataType.Decimal _ -> true;
          default -> false;
        };
    if (!number) {
      throw refuse(field, "numbers or booleans");
    }
    return field;
  }

  static IllegalArgumentException refuse(Field field, String expected) {
    return new IllegalArgumentException(
        Sentence.of(
            "Cannot transform column '%s': it is %s but expected %s.",
            field.name(), field.type(), expected));
  }

  static void requireFinite(String what, String column, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(
          what + " of column '" + column + "' must be a finite number, got " + value + ".");
    }
  }
}
