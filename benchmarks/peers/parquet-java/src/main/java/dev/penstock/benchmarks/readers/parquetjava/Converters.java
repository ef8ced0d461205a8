package dev.penstock.benchmarks.readers.parquetjava;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

/// What parquet-java wants values to be handed to, and here never does: values are asked for.
///
/// Only the dictionaries of texts arrive here.
final class Converters extends GroupConverter {
  private final List<Converter> converters = new ArrayList<>();

  Converters(GroupType group) {
    for (Type type : group.getFields()) {
      converters.add(type.isPrimitive() ? leaf(type) : new Converters(type.asGroupType()));
    }
  }

  private static Converter leaf(Type type) {
    boolean text = type.asPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.BINARY;
    return text ? new Texts() : new PrimitiveConverter() {};
  }

  /// Returns the dictionary of a column of texts.
  Texts texts(int column) {
    return (Texts) converters.get(column);
  }

  @Override
  public Converter getConverter(int field) {
    return converters.get(field);
  }

  @Override
  public void start() {}

  @Override
  public void end() {}

  /// The dictionary of a column of texts.
  static final class Texts extends PrimitiveConverter {
    private String[] texts = new String[0];

    String text(int code) {
      return texts[code];
    }

    @Override
    public boolean hasDictionarySupport() {
      return true;
    }

    @Override
    public void setDictionary(Dictionary dictionary) {
      texts = new String[dictionary.getMaxId() + 1];
      for (int code = 0; code < texts.length; code++) {
        texts[code] = dictionary.decodeToBinary(code).toStringUsingUTF8();
      }
    }
  }
}
