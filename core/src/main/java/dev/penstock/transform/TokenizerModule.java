package dev.penstock.transform;

/// Makes the transforms of the option `tokenize` of the command and of Python; found by
/// `ServiceLoader` in the module `penstock-tokens`. Not for users.
///
/// **Threads.** Safe for any.
public interface TokenizerModule {
  /// {@return a transform that replaces a column of strings by lists of token ids}
  ///
  /// @param column the column
  /// @param tokenizer the path of a `tokenizer.json`
  /// @throws IllegalArgumentException if the file cannot be read, or is no tokenizer
  Transform tokenize(String column, String tokenizer);
}
