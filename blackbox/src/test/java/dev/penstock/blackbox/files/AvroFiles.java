package dev.penstock.blackbox.files;

import dev.penstock.StructuredDataset;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Table;
import dev.penstock.tck.Values;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;

/// Avro files written by Avro's own writer: each row group is made of blocks of its own.
public final class AvroFiles implements TableWriter {
  private static final List<CodecFactory> CODECS =
      List.of(
          CodecFactory.nullCodec(),
          CodecFactory.deflateCodec(5),
          CodecFactory.snappyCodec(),
          CodecFactory.zstandardCodec(3));

  @Override
  public boolean saysEnd() {
    return false;
  }

  @Override
  public String extension() {
    return ".avro";
  }

  @Override
  public boolean holds(DataType type) {
    return switch (type) {
      case DataType.Int(int bits, boolean signed) -> signed && bits >= 32;
      case DataType.Floating(int bits) -> bits > 16;
      case DataType.Time(TimeUnit _, boolean utc) -> !utc;
      default -> true;
    };
  }

  @Override
  public boolean hasDotsInNames() {
    return false;
  }

  /// Their keys are text.
  @Override
  public boolean hasMaps() {
    return false;
  }

  @Override
  public StructuredDataset open(String location, Table table) {
    return new StructuredDataset(location)
        .formatOption("row-group-rows", Integer.toString(Tables.rowGroupRows(table)));
  }

  @Override
  public void write(Path path, Schema schema, List<List<List<Object>>> groups, Random layout)
      throws IOException {
    org.apache.avro.Schema row =
        new org.apache.avro.Schema.Parser()
            .parse(type("row", new DataType.Struct(schema.fields())));
    try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>(row))) {
      writer.setCodec(CODECS.get(layout.nextInt(CODECS.size())));
      writer.setSyncInterval(32 << layout.nextInt(10));
      writer.create(row, path.toFile());
      for (List<List<Object>> group : groups) {
        for (List<Object> values : group) {
          GenericData.Record made = new GenericData.Record(row);
          for (int c = 0; c < values.size(); c++) {
            Field field = schema.fields().get(c);
            made.put(c, value(field.type(), row.getFields().get(c).schema(), values.get(c)));
          }
          writer.append(made);
        }
        writer.sync();
      }
    }
  }

  private static String type(String name, DataType type) {
    return switch (type) {
      case DataType.Bool _ -> "\"boolean\"";
      case DataType.Int(int bits, boolean _) -> bits == 32 ? "\"int\"" : "\"long\"";
      case DataType.Floating(int bits) -> bits == 32 ? "\"float\"" : "\"double\"";
      case DataType.Decimal(int precision, int scale) ->
          logical(
              "bytes",
              "decimal\",\"precision\":" + precision + ",\"scale\":" + scale + ",\"_\":\"");
      case DataType.Date _ -> logical("int", "date");
      case DataType.Time(TimeUnit unit, boolean _) ->
          unit == TimeUnit.MILLIS ? logical("int", "time-millis") : logical("long", "time-micros");
      case DataType.Timestamp(TimeUnit unit, boolean utc) -> {
        String text =
            switch (unit) {
              case MILLIS -> "timestamp-millis";
              case MICROS -> "timestamp-micros";
              case NANOS -> "timestamp-nanos";
            };
        yield logical("long", utc ? text : "local-" + text);
      }
      case DataType.Utf8 _ -> "\"string\"";
      case DataType.Binary _ -> "\"bytes\"";
      case DataType.FixedBinary(int width) ->
          "{\"type\":\"fixed\",\"name\":\"" + name + "\",\"size\":" + width + "}";
      case DataType.Uuid _ -> logical("string", "uuid");
      case DataType.List(DataType element, boolean nullable) ->
          "{\"type\":\"array\",\"items\":" + type(name + "_", element, nullable) + "}";
      case DataType.Map(DataType _, DataType value, boolean nullable) ->
          "{\"type\":\"map\",\"values\":" + type(name + "_", value, nullable) + "}";
      case DataType.Struct(List<Field> fields) ->
          "{\"type\":\"record\",\"name\":\""
              + name
              + "\",\"fields\":"
              + fields.stream()
                  .map(field ->
                      "{\"name\":\""
                          + field.name()
                          + "\",\"type\":"
                          + type(name + "_" + field.name(), field.type(), field.nullable())
                          + "}")
                  .collect(Collectors.joining(",", "[", "]"))
              + "}";
      default -> throw new AssertionError(type);
    };
  }

  private static String type(String name, DataType type, boolean nullable) {
    return nullable ? "[\"null\"," + type(name, type) + "]" : type(name, type);
  }

  private static String logical(String type, String name) {
    return "{\"type\":\"" + type + "\",\"logicalType\":\"" + name + "\"}";
  }

  private static Object value(DataType type, org.apache.avro.Schema schema, Object value) {
    if (value == null) {
      return null;
    }
    if (schema.isUnion()) {
      return value(type, schema.getTypes().getLast(), value);
    }
    return switch (type) {
      case DataType.Date _ -> (int) Values.toLong(type, value);
      case DataType.Time(TimeUnit unit, boolean _) when unit == TimeUnit.MILLIS ->
          (int) Values.toLong(type, value);
      case DataType.Time _, DataType.Timestamp _ -> Values.toLong(type, value);
      case DataType.Decimal _ ->
          ByteBuffer.wrap(((BigDecimal) value).unscaledValue().toByteArray());
      case DataType.Uuid _ -> value.toString();
      case DataType.Binary _ -> ByteBuffer.wrap(HexFormat.of().parseHex((String) value));
      case DataType.FixedBinary _ ->
          new GenericData.Fixed(schema, HexFormat.of().parseHex((String) value));
      case DataType.List(DataType element, boolean _) -> {
        List<Object> list = new ArrayList<>();
        ((List<?>) value).forEach(each -> list.add(value(element, schema.getElementType(), each)));
        yield list;
      }
      case DataType.Struct(List<Field> fields) -> {
        GenericData.Record made = new GenericData.Record(schema);
        for (Field field : fields) {
          Object part = ((Map<?, ?>) value).get(field.name());
          made.put(field.name(), value(field.type(), schema.getField(field.name()).schema(), part));
        }
        yield made;
      }
      default -> value;
    };
  }
}
