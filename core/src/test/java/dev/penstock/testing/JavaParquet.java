package dev.penstock.testing;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.NanoTime;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.InitContext;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/// Parquet files read by parquet-java, in the form of [TestRows].
public final class JavaParquet {
  private JavaParquet() {}

  /// Opens a file without Hadoop's options, which are read from XML anew for each reader.
  public static ParquetFileReader open(InputFile file) throws IOException {
    return ParquetFileReader.open(
        file, ParquetReadOptions.builder(new PlainParquetConfiguration()).build());
  }

  /// Reads all values of a column.
  ///
  /// @param type the type that the values are given in
  public static List<@Nullable Object> column(Path path, String name, DataType type)
      throws IOException {
    InputFile file = new LocalInputFile(path);
    MessageType message;
    try (ParquetFileReader footer = open(file)) {
      message = footer.getFileMetaData().getSchema();
    }
    MessageType one = new MessageType(message.getName(), message.getType(name));
    List<@Nullable Object> values = new ArrayList<>();
    try (ParquetReader<Group> reader = new Groups(file, one).build()) {
      for (Group group = reader.read(); group != null; group = reader.read()) {
        values.add(field(group, 0, type));
      }
    }
    return values;
  }

  /// Returns what a group has in a field: a value, null, or all values of one that is repeated.
  private static @Nullable Object field(Group group, int field, DataType type) {
    if (group.getType().getType(field).isRepetition(Type.Repetition.REPEATED)) {
      return elements(group, field, ((DataType.List) type).element());
    }
    return group.getFieldRepetitionCount(field) == 0 ? null : value(group, field, 0, type);
  }

  private static List<@Nullable Object> elements(Group group, int field, DataType type) {
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = 0; i < group.getFieldRepetitionCount(field); i++) {
      elements.add(value(group, field, i, type));
    }
    return elements;
  }

  private static Object value(Group group, int field, int index, DataType type) {
    return switch (type) {
      case DataType.List(DataType element, boolean _) ->
          list(group.getGroup(field, index), element);
      case DataType.Map(DataType key, DataType value, boolean _) -> {
        Group map = group.getGroup(field, index);
        List<Object> entries = new ArrayList<>();
        for (int i = 0; i < map.getFieldRepetitionCount(0); i++) {
          Group entry = map.getGroup(0, i);
          List<@Nullable Object> pair = new ArrayList<>();
          pair.add(field(entry, 0, key));
          pair.add(field(entry, 1, value));
          entries.add(pair);
        }
        yield entries;
      }
      case DataType.Struct(List<Field> fields) -> {
        Group struct = group.getGroup(field, index);
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (int i = 0; i < fields.size(); i++) {
          values.put(fields.get(i).name(), field(struct, i, fields.get(i).type()));
        }
        yield values;
      }
      default -> leaf(group, field, index, type);
    };
  }

  /// Returns the elements of a list: of old they are the repeated field, else they are in it.
  private static List<@Nullable Object> list(Group list, DataType element) {
    Type repeated = list.getType().getType(0);
    boolean wrapped =
        !repeated.isPrimitive()
            && repeated.asGroupType().getFieldCount() == 1
            && !repeated.asGroupType().getType(0).isRepetition(Type.Repetition.REPEATED)
            && !repeated.getName().equals("array");
    if (!wrapped) {
      return elements(list, 0, element);
    }
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = 0; i < list.getFieldRepetitionCount(0); i++) {
      elements.add(field(list.getGroup(0, i), 0, element));
    }
    return elements;
  }

  private static final class Groups extends ParquetReader.Builder<Group> {
    private final MessageType wanted;

    Groups(InputFile file, MessageType wanted) {
      super(file, new PlainParquetConfiguration());
      this.wanted = wanted;
    }

    @Override
    protected ReadSupport<Group> getReadSupport() {
      return new GroupReadSupport() {
        @Override
        public ReadContext init(InitContext context) {
          return new ReadContext(wanted);
        }
      };
    }
  }

  private static Object leaf(Group group, int field, int index, DataType type) {
    PrimitiveTypeName physical =
        group.getType().getType(field).asPrimitiveType().getPrimitiveTypeName();
    return switch (physical) {
      case BOOLEAN -> group.getBoolean(field, index);
      case FLOAT -> group.getFloat(field, index);
      case DOUBLE -> group.getDouble(field, index);
      case INT32 -> integer(group.getInteger(field, index), type);
      case INT64 -> integer(group.getLong(field, index), type);
      case INT96 -> nanos(NanoTime.fromBinary(group.getInt96(field, index)));
      case BINARY, FIXED_LEN_BYTE_ARRAY -> bytes(group.getBinary(field, index).getBytes(), type);
    };
  }

  private static Object integer(long value, DataType type) {
    return switch (type) {
      case DataType.Decimal _ -> BigInteger.valueOf(value);
      case DataType.Int(int bits, boolean signed) when !signed && bits < 64 ->
          value & ((1L << bits) - 1);
      default -> value;
    };
  }

  private static long nanos(NanoTime time) {
    BigInteger days = BigInteger.valueOf(time.getJulianDay() - 2_440_588L);
    return days.multiply(BigInteger.valueOf(86_400_000_000_000L))
        .add(BigInteger.valueOf(time.getTimeOfDayNanos()))
        .longValueExact();
  }

  private static Object bytes(byte[] bytes, DataType type) {
    return switch (type) {
      case DataType.Decimal _ -> new BigInteger(bytes);
      case DataType.Utf8 _ -> new String(bytes, StandardCharsets.UTF_8);
      case DataType.Floating _ ->
          java.nio.ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getShort() & 0xffffL;
      default -> HexFormat.of().formatHex(bytes);
    };
  }
}
