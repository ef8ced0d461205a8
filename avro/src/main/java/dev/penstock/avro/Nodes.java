package dev.penstock.avro;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchBuffer;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.avro.Schema;

/// The nodes of all types: one file, because each is a few lines.
final class Nodes {
  private static final int BYTES_MAX = Integer.MAX_VALUE - 64;

  private Nodes() {}

  /// Returns a node that reads values of a schema; a union of null and another type gives nullable
  /// values.
  static Node of(Schema schema, ScratchMemory memory) {
    Schema value = AvroTypes.value(schema);
    DataType type = AvroTypes.type(value);
    Node node = value(value, type, memory);
    return AvroTypes.isNull(schema) ? new Nulls(node, memory) : orNull(schema, node, memory);
  }

  /// Returns a node that reads a union of null and another node's values, or that node itself.
  private static Node orNull(Schema schema, Node values, ScratchMemory memory) {
    if (!schema.isUnion()) {
      return values;
    }
    return new Nullable(values, Unions.members(schema), memory);
  }

  private static Node value(Schema schema, DataType type, ScratchMemory memory) {
    return schema.isUnion()
        ? Unions.of(AvroTypes.members(schema), type, memory)
        : single(schema, type, memory);
  }

  private static Node single(Schema schema, DataType type, ScratchMemory memory) {
    return switch (type) {
      case DataType.Bool _ -> new Bools(type, memory);
      case DataType.Int _, DataType.Date _, DataType.Time _, DataType.Timestamp _ ->
          type.byteWidth() == 4 ? new Int32s(type, memory) : new Int64s(type, memory);
      case DataType.Floating _, DataType.FixedBinary _, DataType.Interval _ ->
          new Fixed(type, memory);
      case DataType.Uuid _ ->
          schema.getType() == Schema.Type.FIXED ? new Fixed(type, memory) : new Uuids(type, memory);
      case DataType.Decimal _ ->
          new Decimals(
              type, schema.getType() == Schema.Type.FIXED ? schema.getFixedSize() : -1, memory);
      case DataType.Utf8 _ when schema.getType() == Schema.Type.ENUM ->
          new Enums(type, schema.getEnumSymbols(), memory);
      case DataType.Utf8 _, DataType.Binary _ -> new Texts(type, memory);
      case DataType.List _ -> new Lists(type, of(schema.getElementType(), memory), memory);
      case DataType.Map map ->
          new Maps(map, new Texts(map.key(), memory), of(schema.getValueType(), memory), memory);
      case DataType.Struct _ -> {
        List<Node> fields = new ArrayList<>();
        schema.getFields().forEach(field -> fields.add(of(field.schema(), memory)));
        yield new Structs(type, fields, memory);
      }
      case DataType.Null _ -> new Int32s(type, memory);
      case DataType.Variant _, DataType.Unsupported _ ->
          throw new IllegalArgumentException("Cannot read " + type);
    };
  }

  /// Values that another node gathers.
  abstract static class Wrapper extends Node {
    final Node values;

    Wrapper(Node values, ScratchMemory memory) {
      super(values.type, memory);
      this.values = values;
    }

    @Override
    void addNothing() {
      values.addNull();
    }

    @Override
    ColumnSlice slice() {
      return values.slice();
    }

    @Override
    void clear() {
      super.clear();
      values.clear();
    }
  }

  /// Values of a union that may be null. A number before each says which type it has.
  private static class Nullable extends Wrapper {
    private final int[] members;

    Nullable(Node values, int[] members, ScratchMemory memory) {
      super(values, memory);
      this.members = members;
    }

    @Override
    void add(Input in) {
      int member = members[Skip.branch(in, members.length)];
      if (member < 0) {
        values.addNull();
      } else {
        values.choose(member);
        values.read(in);
      }
    }
  }

  /// Nulls, which take no bytes in a file.
  private static final class Nulls extends Nullable {
    Nulls(Node values, ScratchMemory memory) {
      super(values, new int[0], memory);
    }

    @Override
    void add(Input in) {
      addNothing();
    }
  }

  /// Values that lie one after another.
  abstract static class Flat extends Node {
    final ScratchBuffer values;
    final int width;

    Flat(DataType type, ScratchMemory memory) {
      super(type, memory);
      this.values = new ScratchBuffer(memory);
      this.width = type.byteWidth();
    }

    MemorySegment room() {
      return values.grow((count + 1L) * width);
    }

    @Override
    void addNothing() {
      room().asSlice((long) count * width, width).fill((byte) 0);
    }

    @Override
    ColumnSlice slice() {
      return ColumnSlice.fixed(type, count, nulls(), bits(), values.grow(1));
    }
  }

  private static final class Int32s extends Flat {
    Int32s(DataType type, ScratchMemory memory) {
      super(type, memory);
    }

    @Override
    void add(Input in) {
      room().set(INT, 4L * count, in.int32());
    }
  }

  private static final class Int64s extends Flat {
    Int64s(DataType type, ScratchMemory memory) {
      super(type, memory);
    }

    @Override
    void add(Input in) {
      room().set(LONG, 8L * count, in.number());
    }
  }

  private static final class Bools extends Flat {
    Bools(DataType type, ScratchMemory memory) {
      super(type, memory);
    }

    @Override
    MemorySegment room() {
      return values.grow((count >> 3) + 1L);
    }

    @Override
    void addNothing() {
      set(0);
    }

    @Override
    void add(Input in) {
      int value = in.next();
      if (value < 0 || value > 1) {
        throw new CorruptException("Corrupt Avro block: a boolean is " + value + ".");
      }
      set(value);
    }

    private void set(int value) {
      MemorySegment bits = room();
      int shift = count & 7;
      int before =
          shift == 0 ? 0 : bits.get(ValueLayout.JAVA_BYTE, count >> 3) & ((1 << shift) - 1);
      bits.set(ValueLayout.JAVA_BYTE, count >> 3, (byte) (before | (value << shift)));
    }
  }

  private static final class Fixed extends Flat {
    Fixed(DataType type, ScratchMemory memory) {
      super(type, memory);
    }

    @Override
    void add(Input in) {
      int from = in.at;
      in.skip(width);
      MemorySegment.copy(
          in.bytes, from, room(), ValueLayout.JAVA_BYTE, (long) count * width, width);
    }
  }

  private static final class Uuids extends Flat {
    Uuids(DataType type, ScratchMemory memory) {
      super(type, memory);
    }

    @Override
    void add(Input in) {
      int length = in.length();
      String text = new String(in.bytes, in.at, length, StandardCharsets.ISO_8859_1);
      in.skip(length);
      try {
        UUID uuid = DataType.Uuid.parse(text);
        MemorySegment to = room();
        to.set(LONG, 16L * count, Long.reverseBytes(uuid.getMostSignificantBits()));
        to.set(LONG, 16L * count + 8, Long.reverseBytes(uuid.getLeastSignificantBits()));
      } catch (IllegalArgumentException e) {
        throw new CorruptException(
            "Corrupt Avro block: '"
                + text
                + "' is no UUID, such as 123e4567-e89b-12d3-a456-426614174000.");
      }
    }
  }

  /// Big-endian numbers in the fewest bytes, or in a fixed number of bytes.
  private static final class Decimals extends Flat {
    private final int size;

    Decimals(DataType type, int size, ScratchMemory memory) {
      super(type, memory);
      this.size = size;
    }

    @Override
    void add(Input in) {
      int length = size < 0 ? in.length() : size;
      int from = in.at;
      in.skip(length);
      MemorySegment to = room();
      byte sign = (byte) (length > 0 && in.bytes[from] < 0 ? -1 : 0);
      for (int i = 0; i < Math.max(width, length); i++) {
        byte value = i < length ? in.bytes[from + length - 1 - i] : sign;
        if (i < width) {
          to.set(ValueLayout.JAVA_BYTE, (long) count * width + i, value);
        } else if (value != sign) {
          throw tooLarge(length);
        }
      }
      if (length > width && in.bytes[from + length - width] < 0 != sign < 0) {
        throw tooLarge(length);
      }
    }

    private CorruptException tooLarge(int length) {
      return new CorruptException(
          "Corrupt Avro block: a value of " + length + " bytes does not fit " + type + ".");
    }
  }

  /// Bytes of any length.
  static class Texts extends Node {
    private final ScratchBuffer values;
    private final ScratchBuffer offsets;
    private int used;

    Texts(DataType type, ScratchMemory memory) {
      super(type, memory);
      this.values = new ScratchBuffer(memory);
      this.offsets = new ScratchBuffer(memory);
    }

    @Override
    void add(Input in) {
      int length = in.length();
      int from = in.at;
      in.skip(length);
      add(in.bytes, from, length);
    }

    final void add(byte[] bytes, int from, int length) {
      if (length > BYTES_MAX - used) {
        throw new CorruptException("Unsupported Avro block: its values have too many bytes.");
      }
      MemorySegment to = values.grow((long) used + length);
      MemorySegment.copy(bytes, from, to, ValueLayout.JAVA_BYTE, used, length);
      used += length;
      addNothing();
    }

    @Override
    void addNothing() {
      MemorySegment ends = offsets.grow(4L * count + 8);
      ends.set(INT, 4L * count + 4, used);
    }

    @Override
    ColumnSlice slice() {
      MemorySegment ends = offsets.grow(8);
      ends.set(INT, 0, 0);
      return ColumnSlice.variable(type, count, nulls(), bits(), values.grow(1), ends);
    }

    @Override
    void clear() {
      super.clear();
      used = 0;
    }
  }

  /// Codes of the schema's symbols.
  private static final class Enums extends Node {
    private final ScratchBuffer codes;
    private final ScratchBuffer values;
    private final ScratchBuffer offsets;
    private final List<String> symbols;
    private @org.jspecify.annotations.Nullable TextDictionary dictionary;

    Enums(DataType type, List<String> symbols, ScratchMemory memory) {
      super(type, memory);
      this.symbols = symbols;
      this.codes = new ScratchBuffer(memory);
      this.values = new ScratchBuffer(memory);
      this.offsets = new ScratchBuffer(memory);
    }

    @Override
    void add(Input in) {
      codes.grow(4L * count + 4).set(INT, 4L * count, in.symbol(symbols.size()));
    }

    @Override
    void addNothing() {
      codes.grow(4L * count + 4).set(INT, 4L * count, 0);
    }

    @Override
    ColumnSlice slice() {
      if (dictionary == null) {
        dictionary = dictionary();
      }
      return ColumnSlice.coded(type, count, nulls(), bits(), codes.grow(4), dictionary);
    }

    private TextDictionary dictionary() {
      MemorySegment ends = offsets.grow(4L * symbols.size() + 4);
      ends.set(INT, 0, 0);
      long used = 0;
      for (int i = 0; i < symbols.size(); i++) {
        byte[] symbol = symbols.get(i).getBytes(StandardCharsets.UTF_8);
        MemorySegment to = values.grow(used + symbol.length);
        MemorySegment.copy(symbol, 0, to, ValueLayout.JAVA_BYTE, used, symbol.length);
        used += symbol.length;
        ends.set(INT, 4L * i + 4, (int) used);
      }
      return new TextDictionary(symbols.size(), values.grow(1), ends);
    }
  }

  /// Elements in blocks, the last of which is empty.
  private abstract static class Repeated extends Node {
    private final ScratchBuffer offsets;

    Repeated(DataType type, ScratchMemory memory) {
      super(type, memory);
      this.offsets = new ScratchBuffer(memory);
    }

    abstract void element(Input in);

    abstract int elements();

    @Override
    void add(Input in) {
      for (long size = in.number(); size != 0; size = in.number()) {
        long most = size;
        if (size < 0) {
          in.length();
          most = -size;
        }
        for (long i = 0; i < most; i++) {
          int start = in.at;
          element(in);
          if (in.at == start) {
            in.countEmpty();
          }
        }
      }
      addNothing();
    }

    @Override
    void addNothing() {
      offsets.grow(4L * count + 8).set(INT, 4L * count + 4, elements());
    }

    MemorySegment ends() {
      MemorySegment ends = offsets.grow(8);
      ends.set(INT, 0, 0);
      return ends;
    }
  }

  private static final class Lists extends Repeated {
    private final Node element;

    Lists(DataType type, Node element, ScratchMemory memory) {
      super(type, memory);
      this.element = element;
    }

    @Override
    void element(Input in) {
      element.read(in);
    }

    @Override
    int elements() {
      return element.count;
    }

    @Override
    ColumnSlice slice() {
      return ColumnSlice.list(type, count, nulls(), bits(), ends(), element.slice());
    }

    @Override
    void clear() {
      super.clear();
      element.clear();
    }
  }

  private static final class Maps extends Repeated {
    private final DataType.Map map;
    private final Node key;
    private final Node value;

    Maps(DataType.Map type, Node key, Node value, ScratchMemory memory) {
      super(type, memory);
      this.map = type;
      this.key = key;
      this.value = value;
    }

    @Override
    void element(Input in) {
      key.read(in);
      value.read(in);
    }

    @Override
    int elements() {
      return key.count;
    }

    @Override
    ColumnSlice slice() {
      ColumnSlice entry =
          ColumnSlice.struct(map.entry(), key.count, 0, null, List.of(key.slice(), value.slice()));
      return ColumnSlice.list(type, count, nulls(), bits(), ends(), entry);
    }

    @Override
    void clear() {
      super.clear();
      key.clear();
      value.clear();
    }
  }

  static class Structs extends Node {
    final List<Node> fields;

    Structs(DataType type, List<Node> fields, ScratchMemory memory) {
      super(type, memory);
      this.fields = fields;
    }

    @Override
    void add(Input in) {
      for (int i = 0; i < fields.size(); i++) {
        fields.get(i).read(in);
      }
    }

    @Override
    void addNothing() {
      fields.forEach(Node::addNull);
    }

    @Override
    ColumnSlice slice() {
      return ColumnSlice.struct(
          type, count, nulls(), bits(), fields.stream().map(Node::slice).toList());
    }

    @Override
    void clear() {
      super.clear();
      fields.forEach(Node::clear);
    }
  }

  /// One field of records; the others are skipped.
  static final class Part extends Wrapper {
    private final List<Skip> skips;
    private final int wanted;

    Part(Schema record, int wanted, Node part, ScratchMemory memory) {
      super(part, memory);
      this.skips = record.getFields().stream().map(field -> Skip.of(field.schema())).toList();
      this.wanted = wanted;
    }

    @Override
    void add(Input in) {
      for (int i = 0; i < skips.size(); i++) {
        if (i == wanted) {
          values.read(in);
        } else {
          skips.get(i).skip(in, 0);
        }
      }
    }
  }

  /// Returns a node that reads the part of a record or union at a path.
  ///
  /// @param record the schema of the values, or a union of it and null
  static Node part(Schema record, List<Integer> path, ScratchMemory memory) {
    if (path.isEmpty()) {
      return of(record, memory);
    }
    Schema value = AvroTypes.value(record);
    if (value.isUnion()) {
      int wanted = path.getFirst();
      Schema member = AvroTypes.members(value).get(wanted);
      return new Unions.Part(
          value, wanted, part(member, path.subList(1, path.size()), memory), memory);
    }
    Schema next = value.getFields().get(path.getFirst()).schema();
    Node part = part(next, path.subList(1, path.size()), memory);
    return orNull(record, new Part(value, path.getFirst(), part, memory), memory);
  }
}
