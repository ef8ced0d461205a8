package dev.penstock.internal.parquet;

import dev.penstock.internal.parquet.footer.LeafColumn;
import dev.penstock.internal.parquet.footer.PlainValue;
import dev.penstock.spi.format.BloomFilter;
import java.io.IOException;

/// Rules out values that a chunk does not have, by their plain bytes.
///
/// NaN has many forms, so it is never ruled out; the two zeros are one value.
abstract class ValueFilter implements BloomFilter {
  private final LeafColumn leaf;

  ValueFilter(LeafColumn leaf) {
    this.leaf = leaf;
  }

  /// Returns whether the chunk may have a value. Its bytes are as in a PLAIN page, without a
  /// length.
  abstract boolean has(byte[] plain) throws IOException;

  @Override
  public final boolean mightContain(Comparable<?> value) throws IOException {
    return switch (value) {
      case Float number when number.isNaN() -> true;
      case Double number when number.isNaN() -> true;
      case Float number when number == 0 -> hasValue(0f) || hasValue(-0f);
      case Double number when number == 0 -> hasValue(0d) || hasValue(-0d);
      default -> hasValue(value);
    };
  }

  private boolean hasValue(Comparable<?> value) throws IOException {
    byte[] plain = PlainValue.encode(leaf, value);
    return plain != null && has(plain);
  }
}
