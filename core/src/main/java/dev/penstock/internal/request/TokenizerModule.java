package dev.penstock.internal.request;

import dev.penstock.transform.Transform;

/// Makes the transforms of the option `tokenize`; found by `ServiceLoader` in the module
/// `penstock-tokens`.
///
/// **Threads.** Safe for any.
public interface TokenizerModule {
  /// {@return a transform that replaces a column of strings by lists of token ids}
  ///
  /// @throws IllegalArgumentException if the tokenizer cannot be read, or an option is wrong
  Transform tokenize(LoadRequest.Tokenize asked);
}
