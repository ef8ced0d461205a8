package dev.penstock.delta.internal.log;

import io.delta.kernel.data.ArrayValue;
import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.MapValue;
import io.delta.kernel.types.ArrayType;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.MapType;
import io.delta.kernel.types.StructType;
import java.math.BigDecimal;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A column of values that are Java objects.
///
/// Numbers, booleans, strings, `byte[]` and [BigDecimal] stand for themselves, dates and timestamps
/// for their counts of days and microseconds. A struct is an `Object[]` in the order of its fields,
/// an array a [List], a map a [Map].
///
/// **Threads.** Immutable, if nobody changes the values.
record ValueVector(DataType getDataType, List<? extends @Nullable Object> values)
    implements ColumnVector {
  private Object value(int row) {
    return Objects.requireNonNull(values.get(row), "the value is null");
  }

  @Override
  public int getSize() {
    return values.size();
  }

  @Override
  public void close() {}

  @Override
  public boolean isNullAt(int row) {
    return values.get(row) == null;
  }

  @Override
  public boolean getBoolean(int row) {
    return (Boolean) value(row);
  }

  @Override
  public byte getByte(int row) {
    return ((Number) value(row)).byteValue();
  }

  @Override
  public short getShort(int row) {
    return ((Number) value(row)).shortValue();
  }

  @Override
  public int getInt(int row) {
    return ((Number) value(row)).intValue();
  }

  @Override
  public long getLong(int row) {
    return ((Number) value(row)).longValue();
  }

  @Override
  public float getFloat(int row) {
    return ((Number) value(row)).floatValue();
  }

  @Override
  public double getDouble(int row) {
    return ((Number) value(row)).doubleValue();
  }

  @Override
  public byte[] getBinary(int row) {
    return (byte[]) value(row);
  }

  @Override
  public String getString(int row) {
    return (String) value(row);
  }

  @Override
  public BigDecimal getDecimal(int row) {
    return (BigDecimal) value(row);
  }

  @Override
  public MapValue getMap(int row) {
    Map<?, ? extends @Nullable Object> map = (Map<?, ? extends @Nullable Object>) value(row);
    MapType types = (MapType) getDataType;
    ColumnVector keys = new ValueVector(types.getKeyType(), new ArrayList<>(map.keySet()));
    ColumnVector items = new ValueVector(types.getValueType(), new ArrayList<>(map.values()));
    return new MapValue() {
      @Override
      public int getSize() {
        return map.size();
      }

      @Override
      public ColumnVector getKeys() {
        return keys;
      }

      @Override
      public ColumnVector getValues() {
        return items;
      }
    };
  }

  @Override
  public ArrayValue getArray(int row) {
    List<? extends @Nullable Object> array = (List<? extends @Nullable Object>) value(row);
    ColumnVector elements = new ValueVector(((ArrayType) getDataType).getElementType(), array);
    return new ArrayValue() {
      @Override
      public int getSize() {
        return array.size();
      }

      @Override
      public ColumnVector getElements() {
        return elements;
      }
    };
  }

  @Override
  public ColumnVector getChild(int ordinal) {
    return new ValueVector(
        ((StructType) getDataType).at(ordinal).getDataType(),
        new AbstractList<@Nullable Object>() {
          @Override
          public @Nullable Object get(int row) {
            @Nullable Object[] struct = (@Nullable Object[]) values.get(row);
            return struct == null ? null : struct[ordinal];
          }

          @Override
          public int size() {
            return values.size();
          }
        });
  }
}
