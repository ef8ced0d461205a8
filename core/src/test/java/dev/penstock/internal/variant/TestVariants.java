package dev.penstock.internal.variant;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.variant.Variant;
import org.apache.parquet.variant.VariantArrayBuilder;
import org.apache.parquet.variant.VariantBuilder;
import org.apache.parquet.variant.VariantObjectBuilder;
import org.jspecify.annotations.Nullable;

/// Random values of any shape, and files of them that parquet-java writes.
final class TestVariants {
  private static final List<String> NAMES = List.of("a", "b", "id", "user", "x.y", "\u00e9", "");

  private TestVariants() {}

  /// Makes a value as [VariantValue#object()] returns it.
  static @Nullable Object random(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 14 : 18)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2, 3 -> random.nextLong() >> random.nextInt(64);
      case 4 -> random.nextGaussian();
      case 5 -> random.nextFloat();
      case 6 -> new BigDecimal(new BigInteger(random.nextInt(120), random), random.nextInt(38));
      case 7 -> "s".repeat(random.nextInt(100)) + random.nextInt(3);
      case 8 -> {
        byte[] bytes = new byte[random.nextInt(80)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case 9 -> LocalDate.ofEpochDay(random.nextInt(40_000) - 10_000);
      case 10 -> instant(random);
      case 11 -> LocalDateTime.ofInstant(instant(random), ZoneOffset.UTC);
      case 12 -> LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000L) * 1_000);
      case 13 -> new UUID(random.nextLong(), random.nextLong());
      case 14 -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(random.nextInt(10) == 0 ? 300 : 4); i > 0; i--) {
          list.add(random(random, depth - 1));
        }
        yield list;
      }
      default -> {
        Map<String, @Nullable Object> map = new TreeMap<>();
        for (int i = random.nextInt(NAMES.size()); i > 0; i--) {
          map.put(NAMES.get(random.nextInt(NAMES.size())), random(random, depth - 1));
        }
        yield map;
      }
    };
  }

  private static Instant instant(Random random) {
    Instant time = Instant.ofEpochSecond(random.nextLong(4_000_000_000L), random.nextInt(1 << 29));
    return random.nextBoolean() ? time : time.truncatedTo(ChronoUnit.MICROS);
  }

  /// Encodes a value with parquet-java.
  static Variant encoded(@Nullable Object value) {
    VariantBuilder builder = new VariantBuilder();
    append(builder, value);
    return builder.build();
  }

  private static void append(VariantBuilder builder, @Nullable Object value) {
    switch (value) {
      case null -> builder.appendNull();
      case Boolean bit -> builder.appendBoolean(bit);
      case Long number when number == number.byteValue() -> builder.appendByte(number.byteValue());
      case Long number when number == number.shortValue() ->
          builder.appendShort(number.shortValue());
      case Long number when number == number.intValue() -> builder.appendInt(number.intValue());
      case Long number -> builder.appendLong(number);
      case Double number -> builder.appendDouble(number);
      case Float number -> builder.appendFloat(number);
      case BigDecimal number -> builder.appendDecimal(number);
      case String text -> builder.appendString(text);
      case byte[] bytes -> builder.appendBinary(ByteBuffer.wrap(bytes));
      case LocalDate date -> builder.appendDate((int) date.toEpochDay());
      case Instant time when time.equals(time.truncatedTo(ChronoUnit.MICROS)) ->
          builder.appendTimestampTz(micros(time));
      case Instant time -> builder.appendTimestampNanosTz(nanos(time));
      case LocalDateTime time when time.equals(time.truncatedTo(ChronoUnit.MICROS)) ->
          builder.appendTimestampNtz(micros(time.toInstant(ZoneOffset.UTC)));
      case LocalDateTime time ->
          builder.appendTimestampNanosNtz(nanos(time.toInstant(ZoneOffset.UTC)));
      case LocalTime time -> builder.appendTime(time.toNanoOfDay() / 1_000);
      case UUID uuid -> builder.appendUUID(uuid);
      case List<?> list -> {
        VariantArrayBuilder array = builder.startArray();
        list.forEach(each -> append(array, each));
        builder.endArray();
      }
      case Map<?, ?> map -> {
        VariantObjectBuilder object = builder.startObject();
        map.forEach((name, each) -> {
          object.appendKey((String) name);
          append(object, each);
        });
        builder.endObject();
      }
      default -> throw new AssertionError(value);
    }
  }

  private static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  private static long nanos(Instant time) {
    return ChronoUnit.NANOS.between(Instant.EPOCH, time);
  }

  /// Returns metadata and value as they lie in the memory of a column.
  static byte[] joined(Variant variant) {
    byte[] metadata = bytes(variant.getMetadataBuffer());
    byte[] value = bytes(variant.getValueBuffer());
    return ByteBuffer.allocate(metadata.length + value.length).put(metadata).put(value).array();
  }

  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /// Returns a text that is equal for equal values, with fields in the order of their names.
  static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case byte[] bytes -> "0x" + HexFormat.of().formatHex(bytes);
      case List<?> list -> list.stream().map(TestVariants::text).toList().toString();
      case Map<?, ?> map -> {
        Map<String, String> sorted = new TreeMap<>();
        map.forEach((name, each) -> sorted.put((String) name, text(each)));
        yield sorted.toString();
      }
      // Columns of their own have one scale.
      case BigDecimal number -> "decimal " + number.stripTrailingZeros().toPlainString();
      default -> value.getClass().getSimpleName() + " " + value;
    };
  }

  /// Writes a file with parquet-java: columns `n`, the number of the row, and `v`.
  ///
  /// @param parts the parts of `v`, as a schema of Parquet lists them
  /// @param values a `Variant` for each row; null for null
  static void write(Path path, String parts, List<@Nullable Variant> values) throws IOException {
    MessageType message = message(parts);
    try (ParquetWriter<@Nullable Variant> writer =
        new Builder(new LocalOutputFile(path), message)
            .withConf(new PlainParquetConfiguration())
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .withRowGroupRowCountLimit(100)
            .withPageRowCountLimit(17)
            .build()) {
      for (Variant value : values) {
        writer.write(value);
      }
    }
  }

  private static MessageType message(String parts) {
    return MessageTypeParser.parseMessageType(
        "message m { required int64 n; optional group v (VARIANT(1)) { "
            + "required binary metadata; "
            + parts
            + " } }");
  }

  /// Writes a file of one row, whose parts are whatever they are.
  static void writeRaw(Path path, String parts, Consumer<Group> filler) throws IOException {
    MessageType message = message(parts);
    Group row = new SimpleGroup(message);
    row.add("n", 0L);
    filler.accept(row.addGroup("v"));
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(path))
            .withType(message)
            .withConf(new PlainParquetConfiguration())
            .build()) {
      writer.write(row);
    }
  }

  private static final class Builder extends ParquetWriter.Builder<@Nullable Variant, Builder> {
    private final MessageType message;

    Builder(OutputFile file, MessageType message) {
      super(file);
      this.message = message;
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    @Deprecated
    protected WriteSupport<@Nullable Variant> getWriteSupport(Configuration configuration) {
      return new Support(message);
    }

    @Override
    protected WriteSupport<@Nullable Variant> getWriteSupport(ParquetConfiguration configuration) {
      return new Support(message);
    }
  }

  private static final class Support extends WriteSupport<@Nullable Variant> {
    private final MessageType message;
    private RecordConsumer consumer;
    private long rows;

    @SuppressWarnings("NullAway.Init") // prepareForWrite() comes first
    Support(MessageType message) {
      this.message = message;
    }

    @Override
    @Deprecated
    public WriteContext init(Configuration configuration) {
      return new WriteContext(message, Map.of());
    }

    @Override
    public WriteContext init(ParquetConfiguration configuration) {
      return new WriteContext(message, Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer recordConsumer) {
      consumer = recordConsumer;
    }

    @Override
    public void write(@Nullable Variant value) {
      consumer.startMessage();
      consumer.startField("n", 0);
      consumer.addLong(rows++);
      consumer.endField("n", 0);
      if (value != null) {
        consumer.startField("v", 1);
        org.apache.parquet.variant.VariantValueWriter.write(
            consumer, message.getType(1).asGroupType(), value);
        consumer.endField("v", 1);
      }
      consumer.endMessage();
    }
  }
}
