package dev.penstock.testing;

import dev.penstock.schema.DataType;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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
import org.jspecify.annotations.Nullable;

/// Parquet files read by parquet-java, in the form of [TestRows].
public final class JavaParquet {
  private JavaParquet() {}

  /// Reads all values of a flat column.
  ///
  /// @param type the type that the values are given in
  public static List<@Nullable Object> column(Path path, String name, DataType type)
      throws IOException {
    InputFile file = new LocalInputFile(path);
    MessageType message;
    try (ParquetFileReader footer = ParquetFileReader.open(file)) {
      message = footer.getFileMetaData().getSchema();
    }
    MessageType one = new MessageType(message.getName(), message.getType(name));
    List<@Nullable Object> values = new ArrayList<>();
    try (ParquetReader<Group> reader = new Groups(file, one).build()) {
      for (Group group = reader.read(); group != null; group = reader.read()) {
        values.add(group.getFieldRepetitionCount(0) == 0 ? null : value(group, type));
      }
    }
    return values;
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

  private static Object value(Group group, DataType type) {
    PrimitiveTypeName physical =
        group.getType().getType(0).asPrimitiveType().getPrimitiveTypeName();
    return switch (physical) {
      case BOOLEAN -> group.getBoolean(0, 0);
      case FLOAT -> group.getFloat(0, 0);
      case DOUBLE -> group.getDouble(0, 0);
      case INT32 -> integer(group.getInteger(0, 0), type);
      case INT64 -> integer(group.getLong(0, 0), type);
      case INT96 -> nanos(NanoTime.fromBinary(group.getInt96(0, 0)));
      case BINARY, FIXED_LEN_BYTE_ARRAY -> bytes(group.getBinary(0, 0).getBytes(), type);
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
