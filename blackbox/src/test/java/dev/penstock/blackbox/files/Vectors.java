package dev.penstock.blackbox.files;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.tck.Values;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;

/// Reads Arrow vectors with Arrow's own methods and turns what they hold into [Values].
public final class Vectors {
  private Vectors() {}

  /// Returns the value of a row, null where the row is null.
  public static Object value(FieldVector vector, DataType type, int row) {
    if (vector.isNull(row)) {
      return null;
    }
    return switch (vector) {
      case BitVector bits -> bits.get(row) == 1;
      case BaseIntVector ints -> Values.ofLong(type, ints.getValueAsLong(row));
      case Float2Vector halves -> halves.getValueAsFloat(row);
      case Float4Vector floats -> floats.get(row);
      case Float8Vector doubles -> doubles.get(row);
      case DecimalVector decimals -> decimals.getObject(row);
      case Decimal256Vector decimals -> decimals.getObject(row);
      case DateDayVector days -> Values.ofLong(type, days.get(row));
      case TimeMilliVector times -> Values.ofLong(type, times.get(row));
      case TimeMicroVector times -> Values.ofLong(type, times.get(row));
      case TimeNanoVector times -> Values.ofLong(type, times.get(row));
      case TimeStampVector times -> Values.ofLong(type, times.get(row));
      case VarCharVector texts -> new String(texts.get(row), StandardCharsets.UTF_8);
      case VarBinaryVector bytes -> HexFormat.of().formatHex(bytes.get(row));
      case FixedSizeBinaryVector bytes -> fixed(type, bytes.get(row));
      case MapVector maps -> entries(maps, (DataType.Map) type, row);
      case ListVector lists -> elements(lists, ((DataType.List) type).element(), row);
      case StructVector structs -> struct(structs, (DataType.Struct) type, row);
      default -> throw new AssertionError(vector.getClass());
    };
  }

  private static Object fixed(DataType type, byte[] bytes) {
    if (type instanceof DataType.Uuid) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      return new UUID(buffer.getLong(), buffer.getLong());
    }
    return HexFormat.of().formatHex(bytes);
  }

  private static List<Object> elements(ListVector lists, DataType type, int row) {
    List<Object> elements = new ArrayList<>();
    for (int i = lists.getElementStartIndex(row); i < lists.getElementEndIndex(row); i++) {
      elements.add(value(lists.getDataVector(), type, i));
    }
    return Collections.unmodifiableList(elements);
  }

  private static List<Object> entries(MapVector maps, DataType.Map type, int row) {
    List<Object> entries = new ArrayList<>();
    StructVector structs = (StructVector) maps.getDataVector();
    for (int i = maps.getElementStartIndex(row); i < maps.getElementEndIndex(row); i++) {
      Object key = value((FieldVector) structs.getChildByOrdinal(0), type.key(), i);
      Object value = value((FieldVector) structs.getChildByOrdinal(1), type.value(), i);
      entries.add(new SimpleEntry<>(key, value));
    }
    return Collections.unmodifiableList(entries);
  }

  private static Map<String, Object> struct(StructVector structs, DataType.Struct type, int row) {
    Map<String, Object> struct = new LinkedHashMap<>();
    for (Field field : type.fields()) {
      FieldVector part = structs.getChild(field.name());
      struct.put(field.name(), value(part, field.type(), row));
    }
    return Collections.unmodifiableMap(struct);
  }
}
