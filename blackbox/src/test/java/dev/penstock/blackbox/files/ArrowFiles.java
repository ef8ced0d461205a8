package dev.penstock.blackbox.files;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import dev.penstock.tck.Values;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;

/// Arrow IPC files and streams written by Arrow for Java: a record batch for each row group.
public final class ArrowFiles implements TableWriter {
  @Override
  public String extension() {
    return ".arrow";
  }

  @Override
  public List<DataType> types() {
    return Table.TYPES.stream().filter(ArrowFiles::isHeld).toList();
  }

  private static boolean isHeld(DataType type) {
    return switch (type) {
      case DataType.Time(TimeUnit _, boolean utc) -> !utc;
      case DataType.Uuid _ -> false; // an extension, which Arrow for Java has no writer for
      default -> true;
    };
  }

  @Override
  public void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException {
    var arrow =
        new org.apache.arrow.vector.types.pojo.Schema(
            schema.fields().stream().map(ArrowFiles::field).toList());
    try (BufferAllocator memory = new RootAllocator();
        VectorSchemaRoot root = VectorSchemaRoot.create(arrow, memory);
        OutputStream out = Files.newOutputStream(path);
        ArrowWriter writer =
            layout.nextInt(3) == 0
                ? new ArrowStreamWriter(root, null, out)
                : new ArrowFileWriter(root, null, Channels.newChannel(out))) {
      writer.start();
      for (List<List<Object>> group : groups) {
        root.allocateNew();
        for (int c = 0; c < schema.size(); c++) {
          for (int row = 0; row < group.size(); row++) {
            set(root.getVector(c), row, schema.fields().get(c).type(), group.get(row).get(c));
          }
        }
        root.setRowCount(group.size());
        writer.writeBatch();
      }
      writer.end();
    }
  }

  private static org.apache.arrow.vector.types.pojo.Field field(Field field) {
    return field(field.name(), field.type(), field.nullable());
  }

  private static org.apache.arrow.vector.types.pojo.Field field(
      String name, DataType type, boolean nullable) {
    List<org.apache.arrow.vector.types.pojo.Field> parts =
        switch (type) {
          case DataType.List(DataType element, boolean nulls) ->
              List.of(field("item", element, nulls));
          case DataType.Struct(List<Field> fields) ->
              fields.stream().map(ArrowFiles::field).toList();
          case DataType.Map(DataType key, DataType value, boolean nulls) ->
              List.of(
                  new org.apache.arrow.vector.types.pojo.Field(
                      "entries",
                      new FieldType(false, new ArrowType.Struct(), null),
                      List.of(field("key", key, false), field("value", value, nulls))));
          default -> List.of();
        };
    return new org.apache.arrow.vector.types.pojo.Field(
        name, new FieldType(nullable, type(type), null), parts);
  }

  private static ArrowType type(DataType type) {
    return switch (type) {
      case DataType.Bool _ -> new ArrowType.Bool();
      case DataType.Int(int bits, boolean signed) -> new ArrowType.Int(bits, signed);
      case DataType.Floating(int bits) ->
          new ArrowType.FloatingPoint(
              bits == 16
                  ? FloatingPointPrecision.HALF
                  : bits == 32 ? FloatingPointPrecision.SINGLE : FloatingPointPrecision.DOUBLE);
      case DataType.Decimal(int precision, int scale) ->
          new ArrowType.Decimal(precision, scale, 128);
      case DataType.Date _ -> new ArrowType.Date(DateUnit.DAY);
      case DataType.Time(TimeUnit unit, boolean _) ->
          new ArrowType.Time(unit(unit), unit == TimeUnit.MILLIS ? 32 : 64);
      case DataType.Timestamp(TimeUnit unit, boolean utc) ->
          new ArrowType.Timestamp(unit(unit), utc ? "UTC" : null);
      case DataType.Utf8 _ -> new ArrowType.Utf8();
      case DataType.Binary _ -> new ArrowType.Binary();
      case DataType.FixedBinary(int width) -> new ArrowType.FixedSizeBinary(width);
      case DataType.List _ -> new ArrowType.List();
      case DataType.Struct _ -> new ArrowType.Struct();
      case DataType.Map _ -> new ArrowType.Map(false);
      default -> throw new AssertionError(type);
    };
  }

  private static org.apache.arrow.vector.types.TimeUnit unit(TimeUnit unit) {
    return switch (unit) {
      case MILLIS -> org.apache.arrow.vector.types.TimeUnit.MILLISECOND;
      case MICROS -> org.apache.arrow.vector.types.TimeUnit.MICROSECOND;
      case NANOS -> org.apache.arrow.vector.types.TimeUnit.NANOSECOND;
    };
  }

  private static void set(FieldVector vector, int row, DataType type, Object value) {
    if (value == null) {
      while (vector.getValueCapacity() <= row) {
        vector.reAlloc();
      }
      vector.setNull(row);
      return;
    }
    switch (vector) {
      case BitVector bits -> bits.setSafe(row, (Boolean) value ? 1 : 0);
      case TinyIntVector numbers -> numbers.setSafe(row, (Integer) value);
      case SmallIntVector numbers -> numbers.setSafe(row, (Integer) value);
      case IntVector numbers -> numbers.setSafe(row, (Integer) value);
      case BigIntVector numbers -> numbers.setSafe(row, (Long) value);
      case UInt1Vector numbers -> numbers.setSafe(row, (Integer) value);
      case UInt2Vector numbers -> numbers.setSafe(row, (Integer) value);
      case UInt4Vector numbers -> numbers.setSafe(row, ((Long) value).intValue());
      case UInt8Vector numbers -> numbers.setSafe(row, Values.toLong(type, value));
      case Float2Vector numbers -> numbers.setSafe(row, Float.floatToFloat16((Float) value));
      case Float4Vector numbers -> numbers.setSafe(row, (Float) value);
      case Float8Vector numbers -> numbers.setSafe(row, (Double) value);
      case DecimalVector numbers -> numbers.setSafe(row, (BigDecimal) value);
      case DateDayVector days -> days.setSafe(row, (int) Values.toLong(type, value));
      case TimeMilliVector times -> times.setSafe(row, (int) Values.toLong(type, value));
      case TimeMicroVector times -> times.setSafe(row, Values.toLong(type, value));
      case TimeNanoVector times -> times.setSafe(row, Values.toLong(type, value));
      case TimeStampVector times -> times.setSafe(row, Values.toLong(type, value));
      case VarCharVector texts ->
          texts.setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
      case VarBinaryVector bytes -> bytes.setSafe(row, HexFormat.of().parseHex((String) value));
      case FixedSizeBinaryVector bytes ->
          bytes.setSafe(row, HexFormat.of().parseHex((String) value));
      case MapVector maps -> {
        List<?> list = (List<?>) value;
        int at = maps.startNewValue(row);
        StructVector entries = (StructVector) maps.getDataVector();
        for (int i = 0; i < list.size(); i++) {
          Map.Entry<?, ?> entry = (Map.Entry<?, ?>) list.get(i);
          define(entries, at + i);
          set(entries.getChildrenFromFields().get(0), at + i, key(type), entry.getKey());
          set(entries.getChildrenFromFields().get(1), at + i, value(type), entry.getValue());
        }
        maps.endValue(row, list.size());
      }
      case ListVector lists -> {
        List<?> list = (List<?>) value;
        int at = lists.startNewValue(row);
        for (int i = 0; i < list.size(); i++) {
          set(lists.getDataVector(), at + i, ((DataType.List) type).element(), list.get(i));
        }
        lists.endValue(row, list.size());
      }
      case StructVector structs -> {
        define(structs, row);
        for (Field field : ((DataType.Struct) type).fields()) {
          Object part = ((Map<?, ?>) value).get(field.name());
          set(structs.getChild(field.name()), row, field.type(), part);
        }
      }
      default -> throw new AssertionError(vector.getClass());
    }
  }

  private static DataType key(DataType map) {
    return ((DataType.Map) map).key();
  }

  private static DataType value(DataType map) {
    return ((DataType.Map) map).value();
  }

  private static void define(StructVector structs, int row) {
    while (structs.getValueCapacity() <= row) {
      structs.reAlloc();
    }
    structs.setIndexDefined(row);
  }
}
