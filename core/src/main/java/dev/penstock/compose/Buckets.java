package dev.penstock.compose;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/// Rows with lists of similar length in the same batch, so that little is padded.
///
/// The rows of each window are sorted by length and cut into batches: of the loader's batch size,
/// or of fewer rows where the padded elements are bounded. The batches of a window come in random
/// order, the rows of a batch from the shortest to the longest. The last batch that is cut from a
/// window may have fewer rows than the others.
///
/// @param column a column of lists
/// @param tokens the most padded elements of a batch: its rows, times the length of its longest
///   list; at least 1. Empty if only the batch size bounds it
/// @param balance makes batches of all ranks at a step cost nearly the same; empty if it does not
///   matter. The cost of a batch is that of its longest list, times its rows
public record Buckets(String column, OptionalLong tokens, Optional<Balance> balance)
    implements Composition {
  /// Throws [IllegalArgumentException] if the number is below 1.
  public Buckets {
    Objects.requireNonNull(column, "column must not be null.");
    Objects.requireNonNull(tokens, "tokens must not be null.");
    Objects.requireNonNull(balance, "balance must not be null.");
    if (tokens.isPresent() && tokens.getAsLong() < 1) {
      throw new IllegalArgumentException(
          "tokens must be at least 1, got " + tokens.getAsLong() + ".");
    }
  }

  /// {@return a copy with a bound on the padded elements of a batch} A row that is longer by itself
  /// is an error.
  ///
  /// @param most rows, times the length of the longest list; at least 1
  public Buckets tokens(long most) {
    return new Buckets(column, OptionalLong.of(most), balance);
  }

  /// {@return a copy whose batches cost nearly the same on all ranks at each step}
  public Buckets balanced() {
    return balanced(Balance.DEFAULT);
  }

  /// {@return a copy whose batches cost nearly the same on all ranks at each step}
  ///
  /// @param choice how the cost is counted
  public Buckets balanced(Balance choice) {
    return new Buckets(column, tokens, Optional.of(choice));
  }

  @Override
  public String toString() {
    return "buckets of "
        + column
        + (tokens.isPresent() ? " of at most " + tokens.getAsLong() + " elements" : "")
        + balance.map(each -> ", " + each).orElse("");
  }
}
