package dev.penstock.avro;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.jspecify.annotations.Nullable;

/// Files of random rows, written by Avro's own writer; the values are in the form of
/// [dev.penstock.testing.TestRows].
@SuppressWarnings("ArrayRecordComponent") // never compared
record RandomAvro(byte[] bytes, List<List<@Nullable Object>> columns, Schema schema) {
  static final String[] LEAVES = {
    "\"boolean\"",
    "\"int\"",
    "\"long\"",
    "\"float\"",
    "\"double\"",
    "\"string\"",
    "\"bytes\"",
    "{'type':'int','logicalType':'date'}",
    "{'type':'int','logicalType':'time-millis'}",
    "{'type':'long','logicalType':'time-micros'}",
    "{'type':'long','logicalType':'timestamp-millis'}",
    "{'type':'long','logicalType':'timestamp-micros'}",
    "{'type':'long','logicalType':'timestamp-nanos'}",
    "{'type':'long','logicalType':'local-timestamp-micros'}",
    "{'type':'string','logicalType':'uuid'}",
    "{'type':'bytes','logicalType':'decimal','precision':9,'scale':2}",
    "{'type':'bytes','logicalType':'decimal','precision':38,'scale':10}",
    "{'type':'fixed','name':'N','size':9,'logicalType':'decimal','precision':18,'scale':3}",
    "{'type':'fixed','name':'N','size':5}",
    "{'type':'enum','name':'N','symbols':['a','bb','c']}",
    "{'type':'fixed','name':'N','size':16,'logicalType':'uuid'}"
  };
  private static final List<CodecFactory> CODECS =
      List.of(
          CodecFactory.nullCodec(),
          CodecFactory.deflateCodec(5),
          CodecFactory.snappyCodec(),
          CodecFactory.zstandardCodec(3),
          CodecFactory.bzip2Codec());

  /// Makes any type.
  static String type(Random random, int nesting, String name) {
    String made =
        switch (nesting == 0 ? 9 : random.nextInt(10)) {
          case 0, 1 -> "{'type':'array','items':" + type(random, nesting - 1, name + "_") + "}";
          case 2 -> "{'type':'map','values':" + type(random, nesting - 1, name + "_") + "}";
          case 3 ->
              "{'type':'record','name':'"
                  + name
                  + "','fields':[{'name':'f0','type':"
                  + type(random, nesting - 1, name + "_0")
                  + "},{'name':'f1','type':"
                  + type(random, nesting - 1, name + "_1")
                  + "}]}";
          default -> LEAVES[random.nextInt(LEAVES.length)].replace("'N'", "'" + name + "'");
        };
    if (random.nextInt(12) == 0) { // a union has null once
      return random.nextBoolean() ? "'null'" : "['null']";
    }
    return switch (random.nextInt(3)) {
      case 0 -> made;
      case 1 -> "['null'," + made + "]";
      default -> "[" + made + ",'null']";
    };
  }

  static RandomAvro write(Random random, int rows) throws IOException {
    StringBuilder fields = new StringBuilder();
    for (int c = 0; c <= random.nextInt(6); c++) {
      fields.append(c == 0 ? "" : ",");
      fields.append("{'name':'c" + c + "','type':" + type(random, 2, "t" + c) + "}");
    }
    return write(random, rows, "{'type':'record','name':'row','fields':[" + fields + "]}");
  }

  static RandomAvro write(Random random, int rows, String schemaText) throws IOException {
    Schema schema = new Schema.Parser().parse(schemaText.replace('\'', '"'));
    List<List<@Nullable Object>> columns = new ArrayList<>();
    schema.getFields().forEach(_ -> columns.add(new ArrayList<>()));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.setCodec(CODECS.get(random.nextInt(CODECS.size())));
      writer.setSyncInterval(random.nextBoolean() ? 64_000 : 32 + random.nextInt(3000));
      writer.create(schema, bytes);
      for (int row = 0; row < rows; row++) {
        GenericData.Record record = new GenericData.Record(schema);
        for (Schema.Field field : schema.getFields()) {
          Object value = value(random, field.schema());
          columns.get(field.pos()).add(value);
          record.put(field.pos(), datum(field.schema(), value));
        }
        writer.append(record);
      }
    }
    return new RandomAvro(bytes.toByteArray(), columns, schema);
  }

  private static @Nullable Object value(Random random, Schema nullable) {
    if (nullable.isUnion() && random.nextInt(4) == 0) {
      return null;
    }
    Schema schema = AvroTypes.value(nullable);
    String logical = schema.getLogicalType() == null ? "" : schema.getLogicalType().getName();
    return switch (schema.getType()) {
      case BOOLEAN -> random.nextBoolean();
      case INT -> random.nextBoolean() ? random.nextLong(100) : (long) random.nextInt();
      case LONG -> random.nextBoolean() ? random.nextLong(100) : random.nextLong();
      case FLOAT -> random.nextFloat();
      case DOUBLE -> random.nextGaussian();
      case STRING ->
          logical.equals("uuid")
              ? hex(random, 16)
              : "ab\u00df".repeat(3).substring(0, random.nextInt(5));
      case ENUM -> schema.getEnumSymbols().get(random.nextInt(3));
      case BYTES, FIXED -> {
        int size = schema.getType() == Schema.Type.FIXED ? schema.getFixedSize() : 1;
        yield logical.equals("decimal")
            ? new BigInteger(random.nextInt(29), random).subtract(BigInteger.TEN)
            : hex(random, size == 1 ? random.nextInt(9) : size);
      }
      case ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(value(random, schema.getElementType()));
        }
        yield list;
      }
      case MAP -> {
        List<@Nullable Object> map = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
          List<@Nullable Object> pair = new ArrayList<>();
          pair.add("k" + i);
          pair.add(value(random, schema.getValueType()));
          map.add(pair);
        }
        yield map;
      }
      case RECORD -> {
        Map<String, @Nullable Object> struct = new LinkedHashMap<>();
        schema.getFields().forEach(f -> struct.put(f.name(), value(random, f.schema())));
        yield struct;
      }
      case NULL -> null;
      case UNION -> throw new AssertionError();
    };
  }

  private static String hex(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /// Returns a value as Avro's writer takes it.
  private static @Nullable Object datum(Schema nullable, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    Schema schema = AvroTypes.value(nullable);
    return switch (schema.getType()) {
      case INT -> ((Long) value).intValue();
      case STRING ->
          schema.getLogicalType() == null
              ? value
              : new UUID(
                      Long.parseUnsignedLong(((String) value).substring(0, 16), 16),
                      Long.parseUnsignedLong(((String) value).substring(16), 16))
                  .toString();
      case ENUM -> new GenericData.EnumSymbol(schema, value);
      case BYTES ->
          ByteBuffer.wrap(
              value instanceof BigInteger number
                  ? number.toByteArray()
                  : HexFormat.of().parseHex((String) value));
      case FIXED -> {
        byte[] bytes = new byte[schema.getFixedSize()];
        if (value instanceof BigInteger number) {
          byte[] digits = number.toByteArray();
          Arrays.fill(bytes, (byte) (number.signum() < 0 ? -1 : 0));
          System.arraycopy(digits, 0, bytes, bytes.length - digits.length, digits.length);
        } else {
          bytes = HexFormat.of().parseHex((String) value);
        }
        yield new GenericData.Fixed(schema, bytes);
      }
      case ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        ((List<?>) value).forEach(each -> list.add(datum(schema.getElementType(), each)));
        yield list;
      }
      case MAP -> {
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        for (Object each : (List<?>) value) {
          List<?> pair = (List<?>) each;
          map.put(pair.get(0), datum(schema.getValueType(), pair.get(1)));
        }
        yield map;
      }
      case RECORD -> {
        GenericData.Record record = new GenericData.Record(schema);
        schema
            .getFields()
            .forEach(
                f -> record.put(f.pos(), datum(f.schema(), ((Map<?, ?>) value).get(f.name()))));
        yield record;
      }
      default -> value;
    };
  }

  /// Returns the header of a file with a schema.
  static byte[] header(String schema, String codec) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {'O', 'b', 'j', 1, 4});
    for (String text : List.of("avro.schema", schema, "avro.codec", codec)) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      number(bytes, utf8.length);
      bytes.writeBytes(utf8);
    }
    bytes.write(0);
    bytes.writeBytes(new byte[16]);
    return bytes.toByteArray();
  }

  static void number(ByteArrayOutputStream bytes, long value) {
    long rest = (value << 1) ^ (value >> 63);
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      bytes.write((int) ((rest & 0x7f) | 0x80));
    }
    bytes.write((int) rest);
  }

  /// Returns a file of one block.
  static byte[] file(String schema, long rows, byte[] block) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(header(schema.replace('\'', '"'), "null"));
    add(bytes, rows, block);
    return bytes.toByteArray();
  }

  /// Appends a block to a file made by [#file].
  static void add(ByteArrayOutputStream bytes, long rows, byte[] block) {
    number(bytes, rows);
    number(bytes, block.length);
    bytes.writeBytes(block);
    bytes.writeBytes(new byte[16]);
  }
}
