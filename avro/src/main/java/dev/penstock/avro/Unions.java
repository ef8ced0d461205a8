package dev.penstock.avro;

import static dev.penstock.spi.format.LittleEndian.DOUBLE;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/// The nodes of unions of several types.
final class Unions {
  private Unions() {}

  /// Returns a node that reads the values of a union that are not null.
  ///
  /// @param type their common type according to [AvroTypes]
  static Node of(List<Schema> members, DataType type, ScratchMemory memory) {
    return switch (type) {
      case DataType.Struct _ ->
          new Structs(
              type, members.stream().map(member -> Nodes.of(member, memory)).toList(), memory);
      case DataType.Utf8 _ -> new Texts(type, members, memory);
      case DataType.Int _, DataType.Floating _ -> new Numbers(type, members, memory);
      default -> throw new IllegalArgumentException("Cannot read " + type);
    };
  }

  /// Returns, by branch of a union, the index of its type among those other than null; -1 for null.
  static int[] members(Schema union) {
    int[] members = new int[union.getTypes().size()];
    int count = 0;
    for (int i = 0; i < members.length; i++) {
      members[i] = AvroTypes.isNull(union.getTypes().get(i)) ? -1 : count++;
    }
    return members;
  }

  /// Numbers, in the widest type.
  private static final class Numbers extends Nodes.Flat {
    private final List<Schema.Type> members;
    private int member;

    Numbers(DataType type, List<Schema> members, ScratchMemory memory) {
      super(type, memory);
      this.members = members.stream().map(Schema::getType).toList();
    }

    @Override
    void choose(int chosen) {
      member = chosen;
    }

    @Override
    void add(Input in) {
      MemorySegment to = room();
      long at = (long) count * width;
      switch (members.get(member)) {
        case INT -> to.set(LONG, at, in.int32());
        case LONG -> to.set(LONG, at, in.number());
        case FLOAT -> to.set(DOUBLE, at, Float.intBitsToFloat((int) bits(in, 4)));
        case DOUBLE -> to.set(LONG, at, bits(in, 8));
        default -> throw new IllegalStateException();
      }
    }

    private static long bits(Input in, int bytes) {
      int from = in.at;
      in.skip(bytes);
      long bits = 0;
      for (int i = bytes - 1; i >= 0; i--) {
        bits = bits << 8 | (in.bytes[from + i] & 0xff);
      }
      return bits;
    }
  }

  /// Texts and symbols of enums.
  private static final class Texts extends Nodes.Texts {
    private final List<List<byte[]>> symbols = new ArrayList<>(); // none for texts
    private int member;

    Texts(DataType type, List<Schema> members, ScratchMemory memory) {
      super(type, memory);
      for (Schema each : members) {
        symbols.add(
            each.getType() != Schema.Type.ENUM
                ? List.of()
                : each.getEnumSymbols().stream()
                    .map(symbol -> symbol.getBytes(StandardCharsets.UTF_8))
                    .toList());
      }
    }

    @Override
    void choose(int chosen) {
      member = chosen;
    }

    @Override
    void add(Input in) {
      List<byte[]> known = symbols.get(member);
      if (known.isEmpty()) {
        super.add(in);
      } else {
        byte[] symbol = known.get(in.symbol(known.size()));
        add(symbol, 0, symbol.length);
      }
    }
  }

  /// A field for each type; one of them has the value, the others are null.
  private static final class Structs extends Nodes.Structs {
    private int member;

    Structs(DataType type, List<Node> fields, ScratchMemory memory) {
      super(type, fields, memory);
    }

    @Override
    void choose(int chosen) {
      member = chosen;
    }

    @Override
    void add(Input in) {
      for (int i = 0; i < fields.size(); i++) {
        if (i == member) {
          fields.get(i).read(in);
        } else {
          fields.get(i).addNull();
        }
      }
    }
  }

  /// The values of one type; values of other types are skipped and become null.
  static final class Part extends Nodes.Wrapper {
    private final int[] members;
    private final List<Skip> skips;
    private final int wanted;

    Part(Schema union, int wanted, Node part, ScratchMemory memory) {
      super(part, memory);
      this.members = members(union);
      this.skips = union.getTypes().stream().map(Skip::of).toList();
      this.wanted = wanted;
    }

    @Override
    void add(Input in) {
      int branch = Skip.branch(in, members.length);
      if (members[branch] == wanted) {
        values.read(in);
      } else {
        skips.get(branch).skip(in, 0);
        values.addNull();
      }
    }
  }
}
