package dev.penstock.avro;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/// Skips values of any type, even one that cannot be read.
abstract class Skip {
  /// How deep values of a recursive type may be nested.
  private static final int DEPTH_MAX = 1000;

  /// @param depth how many values enclose it
  abstract void skip(Input in, int depth);

  static Skip of(Schema schema) {
    return of(schema, new IdentityHashMap<>());
  }

  private static Skip of(Schema schema, Map<Schema, Fields> records) {
    return switch (schema.getType()) {
      case NULL -> new Bytes(0);
      case BOOLEAN -> new Bytes(1);
      case FLOAT -> new Bytes(4);
      case DOUBLE -> new Bytes(8);
      case FIXED -> new Bytes(schema.getFixedSize());
      case INT, LONG, ENUM -> new Varint();
      case STRING, BYTES -> new Sized();
      case ARRAY -> new Blocks(of(schema.getElementType(), records), false);
      case MAP -> new Blocks(of(schema.getValueType(), records), true);
      case UNION -> {
        List<Skip> branches = new ArrayList<>();
        schema.getTypes().forEach(type -> branches.add(of(type, records)));
        yield new Union(branches);
      }
      case RECORD -> {
        Fields known = records.get(schema);
        if (known == null) {
          known = new Fields();
          records.put(schema, known);
          for (Schema.Field field : schema.getFields()) {
            known.fields.add(of(field.schema(), records));
          }
          known.fields.removeIf(Skip::isEmpty);
          known.isWhole = true;
        }
        yield known;
      }
    };
  }

  /// Returns whether values take no bytes: records may have others of these twice, forty deep.
  private static boolean isEmpty(Skip skip) {
    return switch (skip) {
      case Bytes bytes -> bytes.count == 0;
      case Fields record -> record.isWhole && record.fields.isEmpty();
      default -> false;
    };
  }

  private static final class Bytes extends Skip {
    private final int count;

    Bytes(int count) {
      this.count = count;
    }

    @Override
    void skip(Input in, int depth) {
      in.skip(count);
    }
  }

  private static final class Varint extends Skip {
    @Override
    void skip(Input in, int depth) {
      while (in.next() < 0) {
        // Each byte but the last has its highest bit set.
      }
    }
  }

  private static final class Sized extends Skip {
    @Override
    void skip(Input in, int depth) {
      in.skip(in.length());
    }
  }

  private static final class Union extends Skip {
    private final List<Skip> branches;

    Union(List<Skip> branches) {
      this.branches = branches;
    }

    @Override
    void skip(Input in, int depth) {
      branches.get(branch(in, branches.size())).skip(in, depth);
    }
  }

  /// Reads which type of a union follows.
  static int branch(Input in, int count) {
    long branch = in.number();
    if (branch < 0 || branch >= count) {
      throw new CorruptException(
          "Corrupt Avro block: type " + branch + " of a union of " + count + ".");
    }
    return (int) branch;
  }

  private static final class Fields extends Skip {
    private final List<Skip> fields = new ArrayList<>();
    private boolean isWhole; // all fields are there

    @Override
    void skip(Input in, int depth) {
      if (depth > DEPTH_MAX) {
        throw new CorruptException(
            "Corrupt Avro block: values are nested more than " + DEPTH_MAX + " deep.");
      }
      for (int i = 0; i < fields.size(); i++) {
        fields.get(i).skip(in, depth + 1);
      }
    }
  }

  private static final class Blocks extends Skip {
    private final Skip element;
    private final boolean keys;

    Blocks(Skip element, boolean keys) {
      this.element = element;
      this.keys = keys;
    }

    @Override
    void skip(Input in, int depth) {
      if (depth > DEPTH_MAX) {
        throw new CorruptException(
            "Corrupt Avro block: values are nested more than " + DEPTH_MAX + " deep.");
      }
      for (long count = in.number(); count != 0; count = in.number()) {
        if (count < 0) {
          in.skip(in.length());
          continue;
        }
        for (long i = 0; i < count; i++) {
          int start = in.at;
          if (keys) {
            in.skip(in.length());
          }
          element.skip(in, depth + 1);
          if (in.at == start) {
            in.countEmpty();
          }
        }
      }
    }
  }
}
