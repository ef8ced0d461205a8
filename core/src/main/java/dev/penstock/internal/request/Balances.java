package dev.penstock.internal.request;

import dev.penstock.advice.Remedy;
import dev.penstock.compose.Balance;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How the cost of batches is counted, as a request has it beside a composition.
final class Balances {
  private Balances() {}

  /// Returns how to count; empty if the cost does not matter.
  ///
  /// @throws WrongOptionException if it is said how to count a cost that does not matter
  static Optional<Balance> of(
      String owner,
      @Nullable Boolean balanced,
      @Nullable Double quadratic,
      @Nullable Integer accumulate) {
    if (balanced != null && balanced) {
      return Optional.of(of(quadratic, accumulate));
    }
    if (quadratic != null || accumulate != null) {
      String wrong = quadratic != null ? "quadratic" : "accumulate";
      throw Rules.wrong(
          OptionTable.of(owner, wrong),
          "Cannot use %s without %s: it says how the cost of a batch is counted.",
          Remedy.name(wrong),
          Remedy.call("balanced", "true"));
    }
    return Optional.empty();
  }

  static Balance of(@Nullable Double quadratic, @Nullable Integer accumulate) {
    return new Balance(
        Objects.requireNonNullElse(quadratic, 0.0), Objects.requireNonNullElse(accumulate, 1));
  }
}
