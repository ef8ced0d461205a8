package dev.penstock.options;

import dev.penstock.advice.CheckReturnValue;
import java.util.function.Function;

/// Options of a loader. Immutable: a method that sets one returns a changed copy.
@CheckReturnValue
abstract sealed class Options permits LoaderOptions, SampleOptions {
  private boolean isCopied; // only asked of options that one function was given

  /// To be called by every method that returns a changed copy.
  final void copied() {
    isCopied = true;
  }

  /// Returns what a function makes of options that nobody else has.
  ///
  /// @throws IllegalArgumentException if it drops what it sets
  static <G extends Options, C extends Options> C changed(G given, Function<G, C> change) {
    C changed = change.apply(given);
    Options before = given;
    if (changed == before && before.isCopied) {
      throw new IllegalArgumentException(
          "Cannot make a loader: its function sets options but returns the ones that it was given,"
              + " which stay as they are. Return what the last setting returns, as in o ->"
              + " o.batchSize(512).shuffle(true).");
    }
    return changed;
  }
}
