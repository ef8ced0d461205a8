package dev.penstock.tokens;

import dev.penstock.transform.TokenizerModule;
import dev.penstock.transform.Transform;
import java.io.UncheckedIOException;
import java.util.Objects;

/// The option `tokenize` of the command and of Python. Not for users.
public final class TokenizeOption implements TokenizerModule {
  /// For `ServiceLoader`.
  public TokenizeOption() {}

  @Override
  public Transform tokenize(String column, String tokenizer) {
    try {
      return Tokenize.of(column, tokenizer);
    } catch (UncheckedIOException e) {
      throw new IllegalArgumentException(Objects.requireNonNull(e.getCause()).getMessage(), e);
    }
  }
}
