package dev.penstock.options;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import java.util.OptionalInt;

/// How rows that are Java objects become batches.
///
/// @param size the rows of a batch, at least 1; empty for the default, 1
/// @param unbatched whether rows are delivered one by one
/// @param collated whether a collator was given, as `collate` does
/// @param dropLast whether a short last batch is left out
public record SampleBatching(
    OptionalInt size, boolean unbatched, boolean collated, boolean dropLast) {
  /// Batches of 1 row, as in torch.
  static final SampleBatching DEFAULTS =
      new SampleBatching(OptionalInt.empty(), false, false, false);

  /// Throws [IllegalArgumentException] if the size is below 1.
  public SampleBatching {
    if (size.isPresent() && size.getAsInt() < 1) {
      throw Advice.argumentError(
          "%s must be at least 1, got %s.", Remedy.name("batchSize"), size.getAsInt());
    }
  }

  /// {@return the rows that are collated at once; 1 without batches}
  public int rows() {
    return unbatched ? 1 : size.orElse(1);
  }

  SampleBatching withSize(int rows) {
    return new SampleBatching(OptionalInt.of(rows), unbatched, collated, dropLast);
  }

  SampleBatching withUnbatched() {
    return new SampleBatching(size, true, collated, dropLast);
  }

  SampleBatching withCollated() {
    return new SampleBatching(size, unbatched, true, dropLast);
  }

  SampleBatching withDropLast(boolean on) {
    return new SampleBatching(size, unbatched, collated, on);
  }
}
