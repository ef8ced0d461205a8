package dev.penstock.internal.filter;

import dev.penstock.filter.Filter;
import dev.penstock.filter.Literal;
import dev.penstock.filter.Operator;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Random tables as objects, the filters that fit them, and the same tables as slices.
///
/// Values are as [NaiveFilter] has them.
final class RandomRows {
  private static final List<DataType> TYPES = types();
  private static final List<Operator> OPERATORS = List.of(Operator.values());

  private final Random random;
  private final Map<String, DataType> types = new HashMap<>();
  private final Map<String, List<Object>> pools = new HashMap<>();
  private final Map<String, List<@Nullable Object>> values = new HashMap<>();
  private final Schema schema;
  private final int rowCount;

  RandomRows(Random random, int columns, int rowCount) {
    this.random = random;
    this.rowCount = rowCount;
    List<Field> fields = new ArrayList<>();
    for (int c = 0; c < columns; c++) {
      String name = "c" + c;
      DataType type = type(fields);
      List<Object> pool = new ArrayList<>();
      if (c > 0 && type.equals(types.get("c0")) && random.nextBoolean()) {
        pool.addAll(Objects.requireNonNull(pools.get("c0")));
      }
      fields.add(new Field(name, type, true));
      types.put(name, type);
      for (int i = 1 + random.nextInt(1 << random.nextInt(8)); i > 0; i--) {
        pool.add(value(type));
      }
      pools.put(name, pool);
      values.put(name, column(pool));
    }
    this.schema = Schema.of(fields);
  }

  /// Chooses any type, or one that compares with that of the first column.
  private DataType type(List<Field> fields) {
    List<DataType> choice =
        fields.isEmpty() || random.nextBoolean()
            ? TYPES
            : TYPES.stream()
                .filter(type -> PairKind.of(type, fields.getFirst().type()) != null)
                .toList();
    return choice.get(random.nextInt(choice.size()));
  }

  private static List<DataType> types() {
    List<DataType> types = new ArrayList<>();
    for (int bits : new int[] {8, 16, 32, 64}) {
      types.add(new DataType.Int(bits, true));
      types.add(new DataType.Int(bits, false));
    }
    for (int bits : new int[] {16, 32, 64}) {
      types.add(new DataType.Floating(bits));
    }
    for (int precision : new int[] {5, 18, 19, 38, 39, 76}) {
      types.add(new DataType.Decimal(precision, precision / 4));
    }
    for (TimeUnit unit : TimeUnit.values()) {
      types.add(new DataType.Time(unit, unit == TimeUnit.MICROS));
      types.add(new DataType.Timestamp(unit, false));
      types.add(new DataType.Timestamp(unit, true));
    }
    types.add(new DataType.Bool());
    types.add(new DataType.Date());
    types.add(new DataType.Uuid());
    types.add(new DataType.Binary());
    types.add(new DataType.FixedBinary(3));
    types.add(new DataType.FixedBinary(16));
    types.add(new DataType.Utf8());
    types.add(new DataType.Utf8());
    types.add(new DataType.Utf8());
    return types;
  }

  Schema schema() {
    return schema;
  }

  Map<String, DataType> typesByName() {
    return Map.copyOf(types);
  }

  int rowCount() {
    return rowCount;
  }

  @Nullable Object value(String column, int row) {
    return Objects.requireNonNull(values.get(column)).get(row);
  }

  DataType type(String column) {
    return Objects.requireNonNull(types.get(column));
  }

  private List<@Nullable Object> column(List<Object> pool) {
    double nulls = List.of(0.0, 0.0, 0.02, 0.5, 0.98, 1.0).get(random.nextInt(6));
    int runLength = 1 + random.nextInt(random.nextBoolean() ? 1 : 100);
    List<@Nullable Object> column = new ArrayList<>();
    while (column.size() < rowCount) {
      Object value = random.nextDouble() < nulls ? null : pool.get(random.nextInt(pool.size()));
      for (int i = random.nextInt(runLength); i >= 0 && column.size() < rowCount; i--) {
        column.add(value);
      }
    }
    return column;
  }

  private Object value(DataType type) {
    return switch (type) {
      case DataType.Bool _ -> random.nextBoolean();
      case DataType.Int(int bits, boolean signed) ->
          signed ? new BigDecimal(integer(bits)) : new BigDecimal(unsigned(bits));
      case DataType.Floating(int bits) -> floating(bits);
      case DataType.Decimal(int precision, int scale) ->
          new BigDecimal(
              integer(BigInteger.TEN.pow(precision).bitLength())
                  .remainder(BigInteger.TEN.pow(precision)),
              scale);
      case DataType.Date _ -> integer(random.nextBoolean() ? 20 : 32).longValue();
      case DataType.Time(TimeUnit unit, boolean _) ->
          Math.floorMod(integer(64).longValue(), 86_400 * unit.perSecond());
      case DataType.Timestamp _ -> integer(random.nextBoolean() ? 40 : 64).longValue();
      case DataType.Utf8 _ -> text();
      case DataType.Binary _ -> hex(random.nextInt(20));
      default -> hex(type.byteWidth());
    };
  }

  /// A value of this many bytes; only a few different ones occur.
  private String hex(int width) {
    byte[] bytes = new byte[width];
    random.nextBytes(bytes);
    if (width > 0) {
      Arrays.fill(bytes, 0, 1 + random.nextInt(width), (byte) (random.nextInt(3) - 1));
      bytes[width - 1] = (byte) random.nextInt(2);
    }
    return HexFormat.of().formatHex(bytes);
  }

  /// A signed integer of so many bits: often small, or near the ends.
  private BigInteger integer(int bits) {
    BigInteger half = BigInteger.ONE.shiftLeft(bits - 1);
    BigInteger near = BigInteger.valueOf(random.nextInt(3));
    return switch (random.nextInt(4)) {
      case 0 -> half.subtract(BigInteger.ONE).subtract(near);
      case 1 -> half.negate().add(near);
      case 2 -> BigInteger.valueOf(random.nextInt(41) - 20);
      default -> new BigInteger(bits, random).subtract(half);
    };
  }

  private BigInteger unsigned(int bits) {
    return random.nextBoolean()
        ? BigInteger.valueOf(random.nextInt(40))
        : integer(bits).add(BigInteger.ONE.shiftLeft(bits - 1));
  }

  private Double floating(int bits) {
    double value =
        switch (random.nextInt(9)) {
          case 0 -> 0.0;
          case 1 -> -0.0;
          case 2 -> Double.NaN;
          case 3 -> Double.POSITIVE_INFINITY;
          case 4 -> Double.NEGATIVE_INFINITY;
          case 5 -> random.nextInt(7) - 3;
          case 6 -> bits == 16 ? 0x1p-24 : bits == 32 ? Float.MIN_VALUE : Double.MIN_VALUE;
          default -> random.nextGaussian();
        };
    return bits == 64
        ? (Double) value
        : bits == 32
            ? (Double) (double) (float) value
            : (Double) (double) Float.float16ToFloat(Float.floatToFloat16((float) value));
  }

  private String text() {
    String[] parts = {
      "", "a", "b", "ab", "\0", "\u007f", "é", "\uffff", "\ud83d\ude00", "longer8b"
    };
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }

  /// Makes a filter of the columns.
  Filter filter(int depth) {
    if (depth > 0 && random.nextInt(4) > 0) {
      if (random.nextInt(4) == 0) {
        return filter(depth - 1).not();
      }
      List<Filter> parts = new ArrayList<>();
      for (int i = 2 + random.nextInt(3); i > 0; i--) {
        parts.add(filter(depth - 1));
      }
      return random.nextBoolean() ? new Filter.And(parts) : new Filter.Or(parts);
    }
    Field field = schema.fields().get(random.nextInt(schema.size()));
    String column = field.name();
    Field other = schema.fields().get(random.nextInt(schema.size()));
    Operator operator = OPERATORS.get(random.nextInt(6));
    Filter leaf =
        switch (random.nextInt(8)) {
          case 7 -> fold();
          case 0 -> new Filter.IsNull(column);
          case 1 -> in(column);
          case 2 ->
              switch (field.type()) {
                case DataType.Utf8 _ when random.nextBoolean() -> pattern(column);
                case DataType.Utf8 _ -> {
                  String text = (String) pooled(column);
                  yield new Filter.StartsWith(
                      column,
                      text.substring(
                          0, text.offsetByCodePoints(0, random.nextInt(1 + codePoints(text)))));
                }
                case DataType.Floating _ -> new Filter.IsNaN(column);
                default -> new Filter.Comparison(column, operator, literal(column));
              };
          case 3 ->
              PairKind.of(field.type(), other.type()) != null
                  ? new Filter.ColumnComparison(column, operator, other.name())
                  : new Filter.Comparison(column, operator, literal(column));
          default -> new Filter.Comparison(column, operator, literal(column));
        };
    return random.nextInt(4) == 0 ? leaf.not() : leaf;
  }

  private Filter fold() {
    List<String> columns =
        schema.fields().stream()
            .filter(field -> FoldHash.takes(field.type()) && random.nextBoolean())
            .map(Field::name)
            .toList();
    int k = 1 + random.nextInt(columns.isEmpty() ? 1 : 1 << random.nextInt(5));
    return Filter.fold(columns, k, random.nextLong()).in(random.ints(k / 2 + 1, 0, k).toArray());
  }

  /// Makes a pattern that a value of the column often matches.
  private Filter pattern(String column) {
    String escape = new String[] {"", "a", "!", "\ud83d\ude00"}[random.nextInt(4)];
    StringBuilder pattern = new StringBuilder();
    for (int point : ((String) pooled(column)).codePoints().toArray()) {
      String one = Character.toString(point);
      switch (random.nextInt(6)) {
        case 0 -> pattern.append('_');
        case 1 -> pattern.append('%');
        case 2 -> pattern.append(one.equals(escape) ? escape : "").append(one).append('%');
        default -> pattern.append(one.equals(escape) ? escape : "").append(one);
      }
    }
    if (!escape.isEmpty() && random.nextInt(4) == 0) {
      pattern.append(escape).append('%');
    }
    return new Filter.Like(column, pattern.toString(), escape);
  }

  private static int codePoints(String text) {
    return text.codePointCount(0, text.length());
  }

  private Filter in(String column) {
    Set<Literal> literals = new LinkedHashSet<>();
    for (int i = random.nextInt(1 << random.nextInt(9)); i > 0; i--) {
      literals.add(literal(column));
    }
    if (type(column) instanceof DataType.Int && random.nextBoolean()) {
      int step = 1 + random.nextInt(3);
      for (int i = random.nextInt(60); i > 0; i--) {
        literals.add(new Literal.Num(BigDecimal.valueOf((long) i * step)));
      }
    }
    return new Filter.In(column, literals);
  }

  private Object pooled(String column) {
    List<Object> pool = Objects.requireNonNull(pools.get(column));
    return pool.get(random.nextInt(pool.size()));
  }

  /// Makes a literal that a column compares with, often one of its values or just beside one.
  private Literal literal(String column) {
    DataType type = type(column);
    Object value = random.nextInt(8) == 0 ? value(type) : pooled(column);
    return switch (value) {
      case Boolean truth -> new Literal.Bool(truth);
      case BigDecimal number -> number(number);
      case Double number when number.isNaN() -> new Literal.Num(BigDecimal.ZERO);
      case Double number when number.isInfinite() -> new Literal.Infinity(number < 0);
      case Double number -> number(new BigDecimal(number));
      case String text when type instanceof DataType.Utf8 ->
          new Literal.Text(random.nextInt(4) == 0 ? text + text() : text);
      case String hex -> bytes(type, hex);
      case Long count -> point(type, count);
      default -> throw new AssertionError(value);
    };
  }

  private Literal bytes(DataType type, String hex) {
    if (hex.length() == 32 && !(type instanceof DataType.Binary) && random.nextBoolean()) {
      return new Literal.Text(uuid(hex));
    }
    return new Literal.Bytes(
        switch (random.nextInt(6)) {
          case 0 -> hex + "00";
          case 1 -> hex.substring(0, 2 * random.nextInt(1 + hex.length() / 2));
          default -> hex;
        });
  }

  private Literal number(BigDecimal number) {
    return switch (random.nextInt(12)) {
      case 0 -> new Literal.Num(number.add(new BigDecimal("0.5")));
      case 1 -> new Literal.Num(number.subtract(new BigDecimal("1e-30")));
      case 2 -> new Literal.Num(number.add(BigDecimal.ONE));
      case 3 -> new Literal.Num(number.multiply(new BigDecimal("1e25")));
      case 4 -> new Literal.Infinity(random.nextBoolean());
      case 5 -> new Literal.Num(number.multiply(new BigDecimal("1.0004882812500001")));
      default -> new Literal.Num(number);
    };
  }

  private static String uuid(String hex) {
    return hex.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
  }

  private Literal point(DataType type, long count) {
    long beside = random.nextInt(4) == 0 ? random.nextInt(1001) - 500 : 0;
    return switch (type) {
      case DataType.Date _ -> {
        LocalDate day = LocalDate.ofEpochDay(count);
        yield isPlain(day.getYear()) ? new Literal.Text(day.toString()) : new Literal.Day(day);
      }
      case DataType.Time(TimeUnit unit, boolean _) -> {
        long nanos = count * (1_000_000_000L / unit.perSecond()) + beside;
        LocalTime time = LocalTime.ofNanoOfDay(Math.floorMod(nanos, 86_400_000_000_000L));
        yield random.nextBoolean()
            ? new Literal.Text(time.toString())
            : new Literal.TimeOfDay(time);
      }
      case DataType.Timestamp(TimeUnit unit, boolean utc) -> {
        long second = Math.floorDiv(count, unit.perSecond());
        long part = Math.floorMod(count, unit.perSecond());
        Instant point =
            Instant.ofEpochSecond(second, part * (1_000_000_000L / unit.perSecond()) + beside);
        LocalDateTime local = LocalDateTime.ofInstant(point, ZoneOffset.UTC);
        boolean zoned = utc && random.nextBoolean();
        if (isPlain(local.getYear()) && random.nextBoolean()) {
          yield new Literal.Text(zoned ? point.toString() : local.toString());
        }
        yield zoned ? new Literal.ZonedTimestamp(point) : new Literal.LocalTimestamp(local);
      }
      default -> throw new AssertionError(type);
    };
  }

  /// Whether the year is written with four digits.
  private boolean isPlain(int year) {
    return year >= 0 && year <= 9999 && random.nextBoolean();
  }

  /// Makes a value as [dev.penstock.spi.format.Bound] has it.
  static Comparable<?> bound(DataType type, Object value) {
    return switch (value) {
      case BigDecimal number when type instanceof DataType.Int(int bits, boolean signed) ->
          bits == 64 && !signed
              ? (Comparable<?>) number.toBigIntegerExact()
              : (Comparable<?>) (Long) number.longValueExact();
      case Double number when !type.equals(new DataType.Floating(64)) ->
          (Comparable<?>) (Float) number.floatValue();
      case String text when type instanceof DataType.Utf8 -> ByteString.utf8(text);
      case String hex -> ByteString.of(HexFormat.of().parseHex(hex));
      default -> (Comparable<?>) value;
    };
  }

  /// Makes the slice of some rows of a column, with no byte more than it needs, and rubbish in
  /// nulls.
  ColumnSlice slice(Arena arena, String column, int from, int count) {
    DataType type = type(column);
    List<@Nullable Object> rows =
        Objects.requireNonNull(values.get(column)).subList(from, from + count);
    MemorySegment bits = allocate(arena, (count + 7) / 8);
    int nulls = 0;
    for (int i = 0; i < count; i++) {
      nulls += rows.get(i) == null ? 1 : 0;
      setBit(bits, i, rows.get(i) != null);
    }
    MemorySegment validity = nulls == 0 ? null : bits;
    if (type.isVariableWidth()) {
      return text(arena, type, rows, nulls, validity);
    }
    if (type instanceof DataType.Bool) {
      MemorySegment truths = allocate(arena, (count + 7) / 8);
      for (int i = 0; i < count; i++) {
        setBit(truths, i, rows.get(i) == null ? random.nextBoolean() : (Boolean) rows.get(i));
      }
      return ColumnSlice.fixed(type, count, nulls, validity, truths);
    }
    int width = type.byteWidth();
    MemorySegment memory = allocate(arena, (long) count * width);
    for (int i = 0; i < count; i++) {
      Object value = rows.get(i);
      byte[] bytes =
          switch (value) {
            case null -> new byte[0];
            case String hex -> HexFormat.of().parseHex(hex);
            default -> bytes(type, value);
          };
      MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, (long) i * width, bytes.length);
    }
    return ColumnSlice.fixed(type, count, nulls, validity, memory);
  }

  private byte[] bytes(DataType type, Object value) {
    int width = type.byteWidth();
    BigInteger bits =
        switch (value) {
          case BigDecimal number -> number.unscaledValue();
          case Double number when number.isNaN() -> { // of both signs, with any payload
            int exponent = width == 8 ? 11 : width == 4 ? 8 : 5;
            BigInteger ones = BigInteger.ONE.shiftLeft(exponent + 1).subtract(BigInteger.ONE);
            BigInteger quiet = ones.shiftLeft(8 * width - exponent - 2);
            BigInteger sign = BigInteger.valueOf(random.nextInt(2)).shiftLeft(8 * width - 1);
            yield quiet.add(sign).add(BigInteger.valueOf(random.nextInt(4)));
          }
          case Double number ->
              BigInteger.valueOf(
                  width == 8
                      ? Double.doubleToRawLongBits(number)
                      : width == 4
                          ? Float.floatToRawIntBits(number.floatValue())
                          : Float.floatToFloat16(number.floatValue()));
          case Long count -> BigInteger.valueOf(count);
          default -> throw new AssertionError(value);
        };
    byte[] bytes = new byte[width];
    for (int i = 0; i < width; i++) {
      bytes[i] = bits.shiftRight(8 * i).byteValue();
    }
    return bytes;
  }

  private ColumnSlice text(
      Arena arena,
      DataType type,
      List<@Nullable Object> rows,
      int nulls,
      @Nullable MemorySegment validity) {
    if (random.nextBoolean()) {
      List<byte[]> plain = new ArrayList<>();
      rows.forEach(row -> plain.add(row == null ? new byte[random.nextInt(3)] : sized(type, row)));
      MemorySegment[] parts = parts(arena, plain);
      return ColumnSlice.variable(type, rows.size(), nulls, validity, parts[0], parts[1]);
    }
    List<Object> distinct = new ArrayList<>();
    MemorySegment codes = allocate(arena, 4L * rows.size());
    for (int i = 0; i < rows.size(); i++) {
      Object row = rows.get(i);
      if (row != null && !distinct.contains(row)) {
        if (random.nextInt(5) == 0) {
          distinct.add(random.nextBoolean() ? "" : "beef");
        }
        distinct.add(row);
      }
      codes.set(ValueLayout.JAVA_INT_UNALIGNED, i * 4L, row == null ? 0 : distinct.indexOf(row));
    }
    MemorySegment[] parts =
        parts(arena, distinct.stream().map(value -> sized(type, value)).toList());
    TextDictionary dictionary = new TextDictionary(distinct.size(), parts[0], parts[1]);
    return ColumnSlice.coded(type, rows.size(), nulls, validity, codes, dictionary);
  }

  private static byte[] sized(DataType type, Object value) {
    return type instanceof DataType.Utf8
        ? ((String) value).getBytes(StandardCharsets.UTF_8)
        : HexFormat.of().parseHex((String) value);
  }

  /// Bytes and offsets, the first of which is not always 0.
  private MemorySegment[] parts(Arena arena, List<byte[]> texts) {
    int at = random.nextInt(4);
    int size = at + texts.stream().mapToInt(text -> text.length).sum();
    MemorySegment bytes = allocate(arena, size);
    MemorySegment offsets = allocate(arena, 4 * (texts.size() + 1L));
    offsets.set(ValueLayout.JAVA_INT_UNALIGNED, 0, at);
    for (int i = 0; i < texts.size(); i++) {
      byte[] text = texts.get(i);
      MemorySegment.copy(text, 0, bytes, ValueLayout.JAVA_BYTE, at, text.length);
      at += text.length;
      offsets.set(ValueLayout.JAVA_INT_UNALIGNED, 4 * (i + 1L), at);
    }
    return new MemorySegment[] {bytes, offsets};
  }

  /// Memory full of rubbish, at any address.
  private MemorySegment allocate(Arena arena, long bytes) {
    int shift = random.nextInt(3);
    byte[] rubbish = new byte[(int) bytes];
    random.nextBytes(rubbish);
    return arena.allocate(bytes + shift).asSlice(shift).copyFrom(MemorySegment.ofArray(rubbish));
  }

  private static void setBit(MemorySegment bits, int row, boolean set) {
    byte old = bits.get(ValueLayout.JAVA_BYTE, row >> 3);
    int bit = 1 << (row & 7);
    bits.set(ValueLayout.JAVA_BYTE, row >> 3, (byte) (set ? old | bit : old & ~bit));
  }
}
